import { existsSync } from 'node:fs'
import path from 'node:path'
import { type CSSOptions, normalizePath } from 'vite'

type PostcssOptions = Exclude<NonNullable<CSSOptions['postcss']>, string>
type PostcssPlugin = NonNullable<PostcssOptions['plugins']>[number]

/**
 * Makes the relative URLs of imported style sheets absolute, for plugins that forget which file a
 * declaration comes from. Vite inlines imports before other plugins run, and resolves URLs after
 * them.
 */
export function importedUrlsPlugin(): PostcssPlugin {
  return {
    postcssPlugin: 'next-names:imported-urls',
    Once(root) {
      root.walkDecls((declaration) => {
        const file = declaration.source?.input.file
        if (file === undefined || file === root.source?.input.file) return
        if (!/url\(|image-set\(/i.test(declaration.value)) return
        declaration.value = withAbsoluteUrls(declaration.value, path.dirname(file))
      })
    },
  }
}

const url = /(?<![\w-])url\(\s*(?:"([^"\\]*)"|'([^'\\]*)'|([^'"()\s\\]+))\s*\)/gi
const imageSetString = /(?<=image-set\((?:[^()]|\([^()]*\))*)(?:"([^"\\]*)"|'([^'\\]*)')/gi

/** @param folder of the style sheet that contains the value */
function withAbsoluteUrls(value: string, folder: string): string {
  return value
    .replace(url, (text, double?: string, single?: string, plain?: string) => {
      const target = absoluteUrl(double ?? single ?? plain ?? '', folder)
      return target === null ? text : `url("${target}")`
    })
    .replace(imageSetString, (text, double?: string, single?: string) => {
      const target = absoluteUrl(double ?? single ?? '', folder)
      return target === null ? text : `"${target}"`
    })
}

/** @returns `null` for a URL that isn't the relative path of a file */
function absoluteUrl(written: string, folder: string): string | null {
  const [, file = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(written) ?? []
  if (file === '' || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(file)) return null
  const target = path.join(folder, decoded(file))
  // Vite couldn't tell a folder's `#` or `?` from the beginning of the fragment or query.
  if (/[?#]/.test(target) || !existsSync(target)) return null
  return encodeURI(normalizePath(target)) + rest
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    // Vite also takes a malformed URL as it is.
    return text
  }
}
