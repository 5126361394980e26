import { runStoreProgram } from '../../../waymark/src/cache/testing/storeProgram.ts'
import { createRedisCache } from '../redisCacheDriver.ts'

// A process of its own. Its address is a URL and a prefix, with a space between.
await runStoreProgram((address, log) => {
  const [url = '', prefix = ''] = address.split(' ')
  return createRedisCache({ address: { urls: [url], prefix }, log, timeoutMs: 5_000 })
})
