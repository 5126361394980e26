import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'
import { lineCounter } from './move/readSource.ts'

/**
 * Reads `'use cache: remote'` as `'use cache'`, whose store is the one that all processes share, and
 * refuses `'use cache: private'` by name.
 */
export function directivePlugin(root: string): Plugin {
  return {
    name: 'next-names:directives',
    enforce: 'pre',
    transform: {
      filter: { id: /\.[cm]?[jt]sx?(?:$|\?)/, code: /['"]use cache: (?:private|remote)['"]/ },
      handler(code, id) {
        const [file = ''] = id.replace(`${root}/`, '').split('?')
        return { code: withKnownDirectives(file, code), map: null }
      },
    },
  }
}

/**
 * @param file as errors name it
 * @returns the code, with nothing moved
 * @throws Error for `'use cache: private'`
 */
export function withKnownDirectives(file: string, code: string): string {
  const { program, errors } = parseSync(file, code, {
    lang: /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx',
  })
  if (errors.some(({ severity }) => severity === 'Error')) return code
  let known = code
  new Visitor({
    ExpressionStatement(statement) {
      const { directive, expression } = statement as ESTree.Directive
      if (directive === 'use cache: private') {
        throw new Error(
          `${file}:${lineCounter(code)(statement.start)}: 'use cache: private' is not there: what one person sees is cached nowhere. Take it out, with the cacheLife() and cacheTag() of its function, which then runs for each request; or pass what it reads of the request as arguments, and write 'use cache'.`,
        )
      }
      if (directive !== 'use cache: remote') return
      const { start, end } = expression
      known = known.slice(0, start) + `'use cache'`.padEnd(end - start) + known.slice(end)
    },
  }).visit(program)
  return known
}
