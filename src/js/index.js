export { Client, StreamableHTTPClientTransport } from './client.js';
export { ProtocolError, SdkError, SdkHttpError } from './errors.js';
