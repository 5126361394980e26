import { runStoreProgram } from '../../../waymark/src/cache/testing/storeProgram.ts'
import { createRedisCache } from '../redisCacheDriver.ts'

// Program for tests that need a separate process. Its address argument is a URL and a prefix, separated
// by a space.
await runStoreProgram((address, log) => {
  const [url = '', prefix = ''] = address.split(' ')
  return createRedisCache({ address: { urls: [url], prefix }, log, timeoutMs: 5_000 })
})
