export { anthropic, gemini, openai, openaiResponses } from './hosted.js';
export { promptApi } from './prompt-api.js';
export { webllm } from './webllm.js';
export { workersAI } from './workers-ai.js';
