import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

/**
 * Replaces `Link` with the client component if a server component passes `Link` as a value, as in
 * `<Button component={Link}>`. The server's `Link` is a function, and functions can't be sent to
 * the browser.
 */
export function linkValuePlugin(): Plugin {
  return {
    name: 'next-names:link-values',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'rsc',
    transform: {
      filter: { id: /\.[jt]sx?(?:$|\?)/, code: /['"]next\/link(?:\.js)?['"]/ },
      handler(code, id) {
        const changed = withClientLink(id.split('?')[0] ?? id, code)
        return changed === code ? null : { code: changed, map: null }
      },
    },
  }
}

/** @returns the code, with unchanged line numbers */
export function withClientLink(file: string, code: string): string {
  const lang = /\.ts$/.test(file) ? 'ts' : 'tsx'
  const { program, module, errors } = parseSync(file, code, { lang })
  if (errors.some(({ severity }) => severity === 'Error')) return code
  const [imported] = module.staticImports
    .filter(({ moduleRequest }) => /^next\/link(?:\.js)?$/.test(moduleRequest.value))
    .flatMap(({ entries }) => entries.filter(({ importName }) => importName.kind === 'Default'))
  if (imported === undefined) return code
  const passed: ESTree.Node[] = []
  const collect = (value: ESTree.Node) => {
    if (value.type === 'Identifier' && value.name === imported.localName.value) passed.push(value)
    if (value.type !== 'ObjectExpression') return
    for (const each of value.properties) if (each.type === 'Property') collect(each.value)
  }
  new Visitor({
    JSXAttribute({ value }) {
      if (value?.type === 'JSXExpressionContainer') collect(value.expression)
    },
  }).visit(program)
  if (passed.length === 0) return code
  const replaced = passed.reduceRight(
    (text, { start, end }) => text.slice(0, start) + clientName + text.slice(end),
    code,
  )
  return `${replaced}\nimport ${clientName} from 'next/internal/link'\n`
}

const clientName = '__nextLinkOfBrowser'
