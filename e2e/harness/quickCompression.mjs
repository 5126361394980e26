/**
 * Preloaded by the builds whose apps are tested. Brotli at its best takes a fifth of a build's
 * processor time, and tells no test more: sizes are those of the specs that build by themselves.
 */
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

const compress = zlib.brotliCompress
zlib.brotliCompress = (bytes, options, done) => {
  const params = { ...options.params, [zlib.constants.BROTLI_PARAM_QUALITY]: 5 }
  compress(bytes, { ...options, params }, done)
}
syncBuiltinESMExports()
