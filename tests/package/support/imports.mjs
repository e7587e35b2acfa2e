// The smallest program: shows that the package loads and that a client needs no await.

import * as all from 'mcp-sampling';

export async function main() {
  // A namespace made from a CommonJS module has a `default` besides.
  const exports = Object.keys(all).filter((name) => name !== 'default').sort();
  const client = new all.Client({ name: 'install-test', version: '1.0.0' });
  return { client: client instanceof all.Client, promise: client instanceof Promise, exports };
}
