import { anthropic } from './anthropic.mjs';
import { gemini } from './gemini.mjs';
import { openai } from './openai.mjs';
import { openaiResponses } from './responses.mjs';

/** The vendors that are reached over HTTP and stream events. */
export const VENDORS = { anthropic, openai, openaiResponses, gemini };
