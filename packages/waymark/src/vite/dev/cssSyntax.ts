import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

// Vite brings it: it minifies the styles of a build.
type LightningCss = {
  transform(options: { filename: string; code: Uint8Array }): unknown
}

// Its message, and where it is in the file.
type SyntaxError = Error & { readonly loc?: { readonly line: number; readonly column: number } }

/**
 * Refuses styles that can't be parsed, in the app's own files, as a build does: a browser leaves
 * out what it does not understand, and says nothing.
 */
export function cssSyntaxPlugin(): Plugin {
  let parser: LightningCss | undefined
  return {
    name: 'waymark:css-syntax',
    apply: 'serve',
    enforce: 'pre',
    // PostCSS may have a syntax of its own.
    applyToEnvironment: ({ config: { root, css } }) =>
      typeof css.postcss !== 'object' && !readdirSync(root).some((name) => /postcss/.test(name)),
    transform: {
      filter: { id: { include: /\.css(?:\?|$)/, exclude: /\/node_modules\/|[?&](?:raw|url)\b/ } },
      handler(code, id) {
        const [filename = id] = id.split('?', 1)
        parser ??= createRequire(createRequire(import.meta.url).resolve('vite'))('lightningcss')
        try {
          parser?.transform({ filename, code: Buffer.from(code) })
        } catch (thrown) {
          const { message, loc } = thrown as SyntaxError
          // Vite puts imports into order.
          if (!loc || message.includes('must precede')) return
          const error = new Error(`${message} in the styles.`)
          throw Object.assign(error, { id: filename, loc: { file: filename, ...loc } })
        }
      },
    },
  }
}
