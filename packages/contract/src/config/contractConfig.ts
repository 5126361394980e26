import type { TestApp, TestRequest } from '@waymark/testing'
import { readConfigFile } from '@waymark/testing/build'
import { ContractProblem } from '../contract/contractProblem.ts'

/** Default export of `contract.config.ts`. */
export type ContractConfig = {
  /**
   * The kinds of users to try, by name, in addition to `anonymous`. Each function signs its user in
   * and returns the cookies or headers of that user's requests.
   */
  readonly personas?: Readonly<Record<string, Persona>>
  /**
   * Paths for routes with params, by pattern. Name several paths if they differ in who may see
   * them: `{ '/orders/[id]': { "the member's order": '/orders/1', 'another order': '/orders/2' } }`
   */
  readonly paths?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /**
   * Values of params for all routes that `paths` doesn't name: `{ lang: 'en' }` requests
   * `/[lang]/cart` at `/en/cart`. A catch-all takes a list.
   */
  readonly params?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Arguments for actions, by the action's name. With arguments, the action runs for each persona,
   * so use data that it may change. Write the fields of a form as a `FormData`.
   */
  readonly actions?: Readonly<Record<string, readonly unknown[]>>
  /**
   * Requests for route handlers with methods other than GET, by method and pattern:
   * `{ 'POST /api/orders': { body: '{"item":1}', headers: { 'content-type': 'application/json' } } }`
   */
  readonly handlers?: Readonly<Record<string, HandlerRequest>>
  /** Values that must never leave the server. */
  readonly sensitive?: {
    /** Names of fields: `['passwordHash', 'apiKey']` */
    readonly fields?: readonly string[]
    /** Values in the app's test data: `['s3cret-of-the-seed']` */
    readonly values?: readonly string[]
  }
  /**
   * Maximum size of the scripts that a page needs to become interactive, in bytes after
   * compression, by pattern. `*` is for all other pages.
   */
  readonly budget?: Readonly<Record<string, number>>
  /** Restores the app's test data. Called before each action that runs. */
  readonly reset?: () => Promise<void> | void
  /** Environment variables for the app. */
  readonly env?: Readonly<Record<string, string>>
}

/** Signs a user in. @returns the cookies or headers of the user's requests */
export type Persona = (app: TestApp) => TestRequest | Promise<TestRequest>

export type HandlerRequest = {
  /** Path and query. Default: the path of the pattern, or from `paths`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export const anonymous = 'anonymous'

/** Reads an app's `contract.config.ts`. Returns an empty object if there is no such file. */
export async function readContractConfig(root: string): Promise<ContractConfig> {
  const config = await readConfigFile<ContractConfig>(root, 'contract')
  if (config === null) return {}
  checkNames(config)
  return config
}

/** @throws ContractProblem if a name would make a line of the contract ambiguous */
function checkNames({ personas = {}, paths = {} }: ContractConfig): void {
  const labels = Object.values(paths).flatMap((each) =>
    typeof each === 'string' ? [] : Object.keys(each),
  )
  for (const name of [...Object.keys(personas), ...labels]) {
    if (/^[^\s:,()][^\n:,()]*$/.test(name) && name !== anonymous && name !== 'everyone') continue
    throw new ContractProblem(
      `contract.config.ts: "${name}" can't be a name. Use letters, digits, spaces and hyphens, and neither "anonymous" nor "everyone".`,
    )
  }
}
