// The one entry declares what the two do, and their classes and types are the same.

import { Client as Apart, type CreateMessageResult } from 'mcp-sampling';
import { Client, SdkError, anthropic, type CreateMessageResult as Same, type Model } from 'mcp-sampling/all';
import { init, type ModuleSource } from 'mcp-sampling/all/slim';
import type { Model as OfProviders } from 'mcp-sampling/providers';

declare const source: ModuleSource;

const client: Apart = new Client({ name: 'types', version: '1.0.0' });
const model: Model = anthropic({ model: 'm', apiKey: 'k' });
const apart: OfProviders = model;
client.setRequestHandler('sampling/createMessage', model);

export async function asked(): Promise<CreateMessageResult> {
  await init(source);
  const result: Same = await apart({ params: { messages: [], maxTokens: 1 } });
  return result;
}

export const isOurs = (error: unknown): boolean => error instanceof SdkError;
