import { anthropic } from './anthropic.mjs';
import { gemini } from './gemini.mjs';
import { openai } from './openai.mjs';
import { openaiResponses } from './responses.mjs';
import { workersAI } from './workers-ai.mjs';

/** The vendors that are reached over HTTP and stream events. */
export const VENDORS = { anthropic, openai, openaiResponses, gemini, workersAI };
