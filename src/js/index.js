export { Client, StreamableHTTPClientTransport } from './client.js';
export { ProtocolError, SdkError, SdkHttpError } from './errors.js';
export { selectModel, validateRequest, validateResult } from './sampling.js';

/** Tells a request for input from a finished result, where `allowInputRequired` lets both through. */
export function isInputRequiredResult(result) {
  return result?.resultType === 'input_required';
}
