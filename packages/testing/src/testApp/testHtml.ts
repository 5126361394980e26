import { documentEndMark } from 'waymark/plugin/node'

/** A form in a page, ready to be submitted. */
export type TestForm = {
  /** Path to which the form is submitted. */
  readonly path: string
  /** Names and values of the form's fields, including hidden fields. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Cookies of the page. */
  readonly cookies: Readonly<Record<string, string>>
}

/**
 * Reads the payload of a document, from a data block or from its scripts.
 * @returns rows of React's Flight without binary data; `null` if the document isn't a page
 */
export function payloadText(html: string): string | null {
  const block = /<script[^>]* type="text\/x-component"[^>]*>(.*?)<\/script>/s.exec(html)?.[1]
  if (block !== undefined) {
    const text = block.replaceAll('\\u003c', '<')
    return text.endsWith(documentEndMark) ? text.slice(0, -documentEndMark.length) : text
  }
  const pushes = [...html.matchAll(/\(self\.__waymark\?\?=\[\]\)\.push\((.*?)\)<\/script>/gs)]
  if (pushes.length === 0) return null
  return pushes
    .flatMap(([, pushed = '']) => JSON.parse(`[${pushed}]`) as unknown[])
    .filter((piece) => typeof piece === 'string')
    .join('')
}

/**
 * Finds a form in the HTML of a page. Attributes must be in double quotes, as in React's output.
 * @param which the form's `id` or `name`, or text in the form. Text counts only if no form has this
 *   id or name.
 * @throws Error that lists the page's forms, unless exactly one matches
 */
export function findForm(
  html: string,
  which: string | undefined,
  page: { readonly path: string; readonly cookies: Readonly<Record<string, string>> },
): TestForm {
  const forms = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(
    ([, head = '', content = '']) => ({ head, content }),
  )
  const named = forms.filter(({ head }) => namesOf(head).includes(which ?? null))
  const withText = forms.filter(({ content }) => htmlText(content).includes(which ?? ''))
  const matches = which !== undefined && named.length > 0 ? named : withText
  const [form] = matches
  if (!form || matches.length > 1) {
    const list = forms.map(({ head, content }) => {
      return namesOf(head).find((name) => name !== null) ?? htmlText(content)
    })
    const wanted = which === undefined ? 'exactly one form' : `exactly one form with ${which}`
    const formsText =
      list.length > 0 ? `The forms are: ${list.join(' | ')}` : 'The page has no forms.'
    throw new Error(`${page.path} doesn't have ${wanted}. ${formsText}`)
  }
  const action = attribute(form.head, 'action')
  return { ...page, path: action || page.path, fields: fieldsOf(form.content) }
}

function namesOf(head: string): (string | null)[] {
  return [attribute(head, 'id'), attribute(head, 'name')]
}

function fieldsOf(content: string): [string, string][] {
  const inputs = [...content.matchAll(/<(input|button)\b([^>]*)>/g)].flatMap(
    ([, tag, head = '']) => {
      const name = attribute(head, 'name')
      const type = attribute(head, 'type') ?? ''
      const isOff = /^(checkbox|radio)$/.test(type) && !/\schecked\b/.test(head)
      const isSubmit = tag === 'button' || /^(submit|button|image|file)$/.test(type)
      // React writes a button's action into its name, so include submit buttons whose names start
      // with `$ACTION`.
      const isLeftOut = isOff || (isSubmit && !name?.startsWith('$ACTION'))
      if (name === null || isLeftOut) return []
      return [[name, attribute(head, 'value') ?? (type === 'checkbox' ? 'on' : '')]] as [
        string,
        string,
      ][]
    },
  )
  const areas = [...content.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].flatMap(
    ([, head = '', text = '']): [string, string][] => {
      const name = attribute(head, 'name')
      return name === null ? [] : [[name, decoded(text).replace(/^\n/, '')]]
    },
  )
  const selects = [...content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].flatMap(
    ([, head = '', options = '']): [string, string][] => {
      const name = attribute(head, 'name')
      const all = [...options.matchAll(/<option\b([^>]*)>(.*?)<\/option>/gs)]
      const [, option = '', text = ''] =
        all.find(([, each = '']) => /selected/.test(each)) ?? all[0] ?? []
      return name === null ? [] : [[name, attribute(option, 'value') ?? htmlText(text)]]
    },
  )
  return [...inputs, ...areas, ...selects]
}

function attribute(head: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(head)?.[1]
  return value === undefined ? null : decoded(value)
}

/** Returns the visible text, with one space between words. */
export function htmlText(html: string): string {
  // React separates adjacent strings in the same text with comments, so removing one adds no space.
  return decoded(html.replaceAll(/<!--.*?-->/gs, '').replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
}
