import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { withRenderLifetime } from './reactPatches.ts'

const require = createRequire(import.meta.url)

describe('the lifetime of renderings', () => {
  test('takes the place of the controller in the runtime of this version', () => {
    const server = require.resolve('@vitejs/plugin-rsc/vendor/react-server-dom/server.node')
    const file = server.replace(
      /server\.node\.js$/,
      'cjs/react-server-dom-webpack-server.node.production.js',
    )
    const changed = withRenderLifetime(readFileSync(file, 'utf8')) ?? ''
    expect(changed).not.toContain('cacheController = new AbortController')
    expect(changed).toContain('.cacheController.complete("This render completed')
    expect(changed).toContain('cacheController = new RenderLifetime()')
  })

  test('leaves a runtime alone that ends its renderings in another way', () => {
    expect(withRenderLifetime('this.cacheController = new AbortController();')).toBeNull()
  })
})
