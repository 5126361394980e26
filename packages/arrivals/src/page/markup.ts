import { escapeHtml } from 'waymark/plugin/node'

/** HTML that is safe to include in a document. Only `html` creates it. */
export type Markup = { readonly markup: string }

type Value = Markup | readonly Markup[] | string | number | null

/** Builds HTML. Escapes all interpolated text, for use in elements and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const [first = '', ...others] = parts
  return { markup: first + others.map((part, at) => write(values[at] ?? null) + part).join('') }
}

function write(value: Value): string {
  if (value === null) return ''
  if (typeof value !== 'object') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
}
