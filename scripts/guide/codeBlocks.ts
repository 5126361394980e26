/** A fenced block of a page of the guide. */
export type CodeBlock = {
  /** Of the fence in its page. */
  readonly line: number
  readonly language: string
  /** The file that it shows, from the app's root; `null` when the block names none. */
  readonly file: string | null
  readonly code: string
}

const fence = /^( *)```(\w*)([^\n]*)\n([\s\S]*?)^ *```/gm
const title = /\btitle="([^"]+)"/
/** A first line that is a comment with nothing but a path, as `site/mdx/code.ts` reads it. */
const pathComment = /^(?:\/\/|#|\/\*|<!--)\s*([\w@()[\]./-]*\.[\w.]+)\s*(?:\*\/|-->)?\n/

/** Reads the fenced blocks of a page. */
export function readCodeBlocks(mdx: string): CodeBlock[] {
  return [...mdx.matchAll(fence)].map((match) => {
    const [, indent = '', language = '', meta = '', text = ''] = match
    const code = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    return {
      line: mdx.slice(0, match.index).split('\n').length,
      language,
      file: title.exec(meta)?.[1] ?? pathComment.exec(code)?.[1] ?? null,
      code,
    }
  })
}

/**
 * Lays the blocks of a page into apps: a block whose file is there already begins another app,
 * with the other files of the one before.
 * @returns for each app its files by their path
 */
export function layIntoApps(blocks: readonly CodeBlock[]): Map<string, string>[] {
  const apps: Map<string, string>[] = []
  let app = new Map<string, string>()
  for (const { file, code } of blocks) {
    if (file === null) continue
    if (app.has(file)) app = new Map(app)
    if (!apps.includes(app)) apps.push(app)
    app.set(file, code)
  }
  return apps
}

/** A call of the CLI, in a block of the shell or in the text. */
export type CommandCall = {
  readonly text: string
  readonly command: string
  /** Names of the options, without their dashes. */
  readonly options: readonly string[]
}

/** Lists the calls of `waymark` in a page. */
export function listCommands(mdx: string): CommandCall[] {
  const inText = [...mdx.matchAll(/`((?:npx )?waymark [^`\n]+)`/g)].map(([, code = '']) => code)
  const inShell = readCodeBlocks(mdx)
    .filter(({ language }) => language === 'sh' || language === 'dockerfile')
    .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'))
  return [...inShell, ...inText].flatMap((text) => {
    const [, command, rest = ''] = /(?:^|\s)waymark ([a-z]+)\b(.*)/.exec(text) ?? []
    if (command === undefined) return []
    const options = [...rest.matchAll(/(?<=\s)--([a-z-]+)/g)].map(([, name = '']) => name)
    return [{ text: text.trim(), command, options }]
  })
}
