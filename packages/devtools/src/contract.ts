import { join, resolve } from 'node:path'
import type { Contract, ContractPart, Reach } from '@waymark/contract/dev'
import { type InspectedServer, parsePathname } from 'waymark/plugin/dev'

/** The package that writes contracts. It may not be installed. */
type ContractPackage = typeof import('@waymark/contract/dev')

/** The app's contract.txt, as the panel and agents' tools read it. */
export type InspectedContract = {
  /** @param pathname as returned by `parsePathname` */
  ofPage(pathname: string): Promise<ContractResult<PageContract>>
  /** Finds out who can reach a path, an action, a file or another part of the app. */
  whoCanReach(what: string): Promise<ContractResult<Reach>>
}

/** A value from the contract, or the reason why there is no value. */
export type ContractResult<T> =
  | {
      readonly kind: 'missing'
      /** Commands that install the package and write the contract, in their order. */
      readonly commands: readonly string[]
      /** Lines for vite.config.ts; `null` if the package is installed. */
      readonly config: string | null
    }
  | { readonly kind: 'unreadable'; readonly problem: string }
  | {
      readonly kind: 'read'
      readonly value: T
      /** The app's newest file that changed after the contract was written, relative to the root. */
      readonly newerFile: string | null
    }

/** `pattern` is `null` if no route matches. */
export type PageContract = { readonly pattern: string | null; readonly part: ContractPart | null }

export const contractCommand = 'npx waymark contract'

/** Creates the functions that answer questions from the app's contract. */
export function createInspectedContract(server: InspectedServer): InspectedContract {
  const { root, appDir, routes } = server
  async function respond<T>(
    find: (loaded: ContractPackage, contract: Contract) => Promise<T> | T,
  ): Promise<ContractResult<T>> {
    const loaded = await loadContract(server)
    if (loaded === null) return notInstalled
    const file = await loaded.readContractFile(root)
    if (file === null) return { kind: 'missing', commands: [contractCommand], config: null }
    if (file.kind === 'unreadable') return file
    const newerFile = await loaded.findNewerFile(server, file.writtenAtMs)
    return { kind: 'read', value: await find(loaded, file.contract), newerFile }
  }
  return {
    ofPage: (pathname) =>
      respond(async ({ contractOfPage }, contract) => {
        const route = await routes.explain(pathname)
        if (!route) return { pattern: null, part: null }
        return { pattern: route.pattern, part: contractOfPage(contract, route.pattern) }
      }),
    whoCanReach: (what) =>
      respond(async ({ whoCanReach, titlesOfFile }, contract) => {
        const pathname = pathnameIn(what)
        const route = pathname === null ? null : await routes.explain(pathname)
        const file = resolve(root, what)
        const inFile = (await routes.list()).filter((each) => join(appDir, each.file) === file)
        const patterns = [...(route ? [route] : []), ...inFile].map(({ pattern }) => pattern)
        return whoCanReach(contract, what, [...patterns, ...titlesOfFile(root, what)])
      }),
  }
}

const notInstalled: ContractResult<never> = {
  kind: 'missing',
  commands: ['npm install --save-dev @waymark/contract @waymark/testing', contractCommand],
  config:
    "import { contract } from '@waymark/contract/vite'\n\nexport default { plugins: [waymark(), contract()] }",
}

/** @returns `null` if the package is not installed */
async function loadContract({ loadPackage }: InspectedServer): Promise<ContractPackage | null> {
  try {
    return (await loadPackage('@waymark/contract/dev', 'The contract')) as ContractPackage
  } catch (error) {
    if ((error as { code?: unknown }).code === 'PACKAGE_NOT_INSTALLED') return null
    throw error
  }
}

/** Finds the pathname in `/board/3`, `PUT /board/3` or `http://localhost:3000/board/3`. */
function pathnameIn(what: string): string | null {
  const [, target] = /^(?:[A-Z]+ )?(?:https?:\/\/[^/]+)?(\/.*)$/.exec(what) ?? []
  return target === undefined ? null : parsePathname(target)
}
