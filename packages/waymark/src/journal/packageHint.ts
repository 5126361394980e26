import type { JournalPhase } from './journalEntry.ts'

type Failure = {
  readonly message: string
  readonly code?: string | null
}

type Thrown = Failure & {
  readonly causes?: readonly Failure[]
  /** Phase of the error; `null` if it was thrown before the server handled a request. */
  readonly phase: JournalPhase | null
}

const missingCodes = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ENOENT'])

// Only Node's message has the names of the module and the file. Its error code decides if there is
// a hint at all.
const missingModule = /\bCannot find (?:module|package) '([^'\n]{1,500})'/
const missingFile = /\bENOENT: [^'\n]{1,100}'([^'\n]{1,500})'/
const packageName = /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?=\/|$)/
const packageFolder = /^.*[\\/]node_modules[\\/]((?:@[\w.-]+[\\/])?[\w-][\w.-]*)[\\/]/

/** Returns advice for a missing package, or for a missing file of a package, at run time. */
export function packageHint({ phase, causes = [], ...failure }: Thrown): string | null {
  // Any client could have written a browser error's message, so don't add a hint.
  if (phase === 'browser') return null
  for (const { code, message } of [failure, ...causes]) {
    const hint = missingCodes.has(code ?? '') ? messageHint(message) : null
    if (hint !== null) return hint
  }
  return null
}

function messageHint(message: string): string | null {
  const [, module] = missingModule.exec(message) ?? []
  const [missing] = packageName.exec(module ?? '') ?? []
  if (missing) {
    return `The package ${missing} is missing. Install it where the server runs. If a bundled package doesn't find it there, add the bundled package to ssr.external in vite.config.ts.`
  }
  const [, file = module ?? ''] = missingFile.exec(message) ?? []
  const name = packageFolder.exec(file)?.[1]?.replace('\\', '/')
  if (!name) return null
  return `A file of the package ${name} is missing. If the build has left it out, keep the package out of the bundle: ssr: { external: ['${name}'] } in vite.config.ts. The package must then be installed where the server runs.`
}
