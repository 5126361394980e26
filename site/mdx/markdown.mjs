/**
 * A page of the guide as plain Markdown. JavaScript, since what writes the package reads it, too.
 * @typedef {{ title: string, description: string, markdown: string }} MarkdownPage
 */

const metadataBlock = /^export const metadata = \{\n([\s\S]*?)\n\}\n/

/**
 * Takes the metadata off an MDX file that has no components of its own.
 * @param {string} source begins with `export const metadata = {`
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
 * @returns {string} empty where there is none
 */
function field(fields, name) {
  const match = new RegExp(`\\b${name}:\\s*(['"])((?:\\\\.|(?!\\1).)*)\\1`).exec(fields)
  return match?.[2]?.replaceAll(/\\(.)/g, '$1') ?? ''
}
