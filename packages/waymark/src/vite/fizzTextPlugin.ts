import type { Plugin } from 'vite'

// React's Node build makes the keys of form state this way; both builds have to agree, because a
// form may be rendered by one and read by the other.
const bun =
  "const Bun = { hash: (text) => require('node:crypto').createHash('md5').update(text).digest('hex') };\n"

/**
 * Gives React's build for Bun, which writes documents as text, the one thing that it takes from
 * there.
 * @see docs/decisions/fizz-text.md
 */
export function fizzTextPlugin(): Plugin {
  return {
    name: 'waymark:fizz-text',
    apply: 'build',
    transform: {
      filter: { id: /react-dom-server\.bun\.production\.js$/ },
      handler: (code) => ({ code: bun + code, map: { mappings: '' } }),
    },
  }
}
