export { anthropic, gemini, openai, openaiResponses } from './hosted.js';
export { webllm } from './webllm.js';
