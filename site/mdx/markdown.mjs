/**
 * A page of the guide as plain Markdown. This file is JavaScript because the script that writes the
 * packages imports it, too.
 * @typedef {{ title: string, description: string, markdown: string }} MarkdownPage
 */

const metadataBlock = /^export const metadata = \{\n([\s\S]*?)\n\}\n/

/**
 * Splits an MDX file without components into metadata and Markdown.
 * @param {string} source starts with `export const metadata = {`
 * @returns {MarkdownPage}
 */
export function markdownOf(source) {
  const [whole = '', fields = ''] = metadataBlock.exec(source) ?? []
  const markdown = source.slice(whole.length).trim()
  return { title: field(fields, 'title'), description: field(fields, 'description'), markdown }
}

/**
 * @param {string} fields
 * @param {string} name
 * @returns {string} empty if the field is missing
 */
function field(fields, name) {
  const match = new RegExp(`\\b${name}:\\s*(['"])((?:\\\\.|(?!\\1).)*)\\1`).exec(fields)
  return match?.[2]?.replaceAll(/\\(.)/g, '$1') ?? ''
}
