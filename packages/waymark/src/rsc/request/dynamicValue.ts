import {
  isStandardSchema,
  parseSearchParams,
  type StandardSchema,
  searchParamsIssues,
} from '../../routing/searchParams.ts'
import { frameworkError } from '../../shared/errors.ts'
import { SignalError } from '../../wire/signals.ts'
import { findScope, type RequestScope } from './scope.ts'

/**
 * Creates a promise whose first use makes the response dynamic. During prerendering, it never settles.
 * @param reason the API in the form that the build prints: `cookies()`, `searchParams`
 */
export function dynamicValue<T>(scope: RequestScope, reason: string, compute: () => T): Promise<T> {
  return new DynamicValue(scope, reason, compute)
}

export function requestValueReason(value: unknown): string | undefined {
  return value instanceof DynamicValue ? value.reason : undefined
}

// Every page creates such promises. A class is ten times faster than defining properties on each of
// them.
class DynamicValue<T> extends Promise<T> {
  readonly #scope: RequestScope
  readonly #reason: string
  /** Settles the promise; `null` after the first use. */
  #settle: (() => void) | null
  /**
   * `await` calls `then` in a later microtask, where the caller's stack is lost, so record the
   * stack now.
   */
  readonly #created = import.meta.env?.DEV ? new Error() : null

  constructor(scope: RequestScope, reason: string, compute: () => T) {
    let settle = neverSettles
    super((resolve, reject) => {
      settle = () => {
        try {
          resolve(compute())
        } catch (thrown) {
          reject(thrown)
        }
      }
    })
    this.#scope = scope
    this.#reason = reason
    this.#settle = settle
  }

  get reason(): string {
    return this.#reason
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a subclass of Promise
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (findScope()?.phase === 'cache') {
      const refusal = frameworkError('REQUEST_IN_CACHE', { api: this.#reason })
      return Promise.reject(refusal).then(onFulfilled, onRejected)
    }
    const scope = this.#scope
    markDynamic(scope, this.#reason, this.#created)
    // Stay pending during prerendering. With `dynamic = 'force-static'` there is no listener, and
    // `compute` reads an empty request.
    if (scope.phase === 'prerender' && scope.usage.onDynamic) return new Promise(neverSettles)
    this.#settle?.()
    this.#settle = null
    return super.then(onFulfilled, onRejected)
  }
}

// `await` skips `then` for a promise whose constructor is Promise (ECMA-262 §27.2.4.7.1). With
// `undefined` as its constructor, `await` calls `then`, and derived promises are plain ones.
Object.defineProperty(DynamicValue.prototype, 'constructor', { value: undefined })

function neverSettles(): void {}

function markDynamic({ usage }: RequestScope, reason: string, created: Error | null): void {
  if (usage.reason !== null) return
  usage.reason = reason
  usage.onDynamic?.(reason, created ? `${created.stack}\n${new Error().stack}` : undefined)
}

type SearchParamsModule = { readonly searchParams?: unknown; readonly [name: string]: unknown }

/**
 * Creates a reader that parses a page's query, with the page's schema if it has one. An invalid
 * query gets a 400.
 */
export function searchParamsReader(
  scope: RequestScope,
  search: string,
): (file: { readonly module: SearchParamsModule }) => Promise<unknown> {
  const parse = () => parseSearchParams(search)
  const plain = dynamicValue(scope, 'searchParams', parse)
  const validated = new Map<StandardSchema, Promise<unknown>>()
  return ({ module: { searchParams: schema } }) => {
    if (!isStandardSchema(schema)) return plain
    let promise = validated.get(schema)
    if (!promise) {
      promise = dynamicValue(scope, 'searchParams', () => validate(schema, parse(), scope))
      validated.set(schema, promise)
    }
    return promise
  }
}

async function validate(
  schema: StandardSchema,
  params: unknown,
  { url }: RequestScope,
): Promise<unknown> {
  const result = await schema['~standard'].validate(params)
  if (!result.issues) return result.value
  if (import.meta.env?.DEV) {
    const path = `${url.pathname}${url.search}`
    const issues = searchParamsIssues(result.issues)
    console.warn(`400: the query of ${path} does not match the schema of the page.\n${issues}`)
  }
  throw new SignalError({ kind: 'fallback', status: 400 })
}
