import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite'

/**
 * Lets server code read files with `new URL('./font.ttf', import.meta.url)`. The build copies these
 * files, and `fetch` can read them, but no others.
 */
export function fileUrlPlugin(): Plugin {
  return {
    name: 'next-names:file-urls',
    enforce: 'pre',
    transform: {
      filter: {
        id: { include: /\.[cm]?[jt]sx?(?:$|\?)/, exclude: /\/node_modules\// },
        code: /\bnew\s+URL\s*\([^)]*\bimport\.meta\.url\b/,
      },
      handler(code, id) {
        if (this.environment.name !== 'rsc') return null
        const [file = ''] = id.split('?')
        let written = code
        for (const { start, end, target } of findFileUrls(code, file).reverse()) {
          let url = code.slice(start, end)
          if (this.environment.mode === 'build') {
            const source = readFileSync(target)
            const name = nameOf(target, source)
            this.emitFile({ type: 'asset', fileName: folder + name, source })
            url = `new URL('${mark}${name}', import.meta.url)`
          }
          written = `${written.slice(0, start)}$$readableFile(${url})${written.slice(end)}`
        }
        if (written === code) return null
        const imported = "import { readableFile as $$readableFile } from 'next/internal/fetch'"
        return { code: `${written}\n${imported}\n`, map: null }
      },
    },
    renderChunk: {
      filter: { code: new RegExp(mark) },
      handler(code, { fileName }) {
        // Vite would write a URL on the site, so write a relative path.
        const up = path.posix.relative(path.posix.dirname(fileName), folder)
        return { code: code.replaceAll(mark, `${up.startsWith('.') ? up : `./${up}`}/`), map: null }
      },
    },
  }
}

/** Folder for the copied files, next to the server's code, where browsers can't request them. */
const folder = 'files/'
const mark = 'next-names-file:'

function nameOf(file: string, source: Buffer): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
  return `${hash}-${path.basename(file).replaceAll(/[^\w.-]/g, '_')}`
}

type FileUrl = { readonly start: number; readonly end: number; readonly target: string }

/** Finds the expressions that refer to an existing file. @param file absolute path */
export function findFileUrls(code: string, file: string): FileUrl[] {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program } = parseSync(file, code, { lang })
  const fileUrls: FileUrl[] = []
  new Visitor({
    NewExpression({ callee, arguments: [name, base], start, end }) {
      if (callee.type !== 'Identifier' || callee.name !== 'URL' || !isImportMetaUrl(base)) return
      const written = name?.type === 'Literal' ? name.value : null
      if (typeof written !== 'string' || !/^\.{1,2}\//.test(written)) return
      const target = path.resolve(path.dirname(file), written.replace(/[?#].*$/, ''))
      if (statSync(target, { throwIfNoEntry: false })?.isFile())
        fileUrls.push({ start, end, target })
    },
  }).visit(program)
  return fileUrls
}

function isImportMetaUrl(node: ESTree.Argument | undefined): boolean {
  return (
    node?.type === 'MemberExpression' &&
    node.object.type === 'MetaProperty' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'url'
  )
}
