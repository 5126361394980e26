/**
 * Lowers the compression quality of builds in tests, which load this file first. Brotli's best
 * quality takes a fifth of a build's processor time, and no test needs it. Specs that check sizes
 * make their own builds.
 */
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

const compress = zlib.brotliCompress
zlib.brotliCompress = (bytes, options, done) => {
  const params = { ...options.params, [zlib.constants.BROTLI_PARAM_QUALITY]: 5 }
  compress(bytes, { ...options, params }, done)
}
syncBuiltinESMExports()
