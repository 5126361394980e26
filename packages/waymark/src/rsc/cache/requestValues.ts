import { frameworkError } from '../../shared/errors.ts'
import { requestValueReason } from '../request/dynamicValue.ts'

/** Arguments without what belongs to a request, and the way to put a refusal in its place. */
export type RefusedValues = {
  readonly kept: readonly unknown[]
  putBack(args: readonly unknown[]): readonly unknown[]
}

/**
 * Takes what belongs to a request out of arguments and of their properties, as the `searchParams`
 * of a page's props: reading it would make every address a key of its own.
 */
export function refuseRequestValues(args: readonly unknown[]): RefusedValues {
  const refused: { index: number; name: string | null; reason: string }[] = []
  const kept = args.map((arg, index) => {
    const reason = requestValueReason(arg)
    if (reason !== undefined) {
      refused.push({ index, name: null, reason })
      return null
    }
    if (!isPlain(arg)) return arg
    const names = Object.keys(arg).filter((name) => {
      const ofProperty = requestValueReason(arg[name])
      if (ofProperty !== undefined) refused.push({ index, name, reason: ofProperty })
      return ofProperty !== undefined
    })
    return names.length === 0 ? arg : without(arg, names)
  })
  return {
    kept,
    putBack(restored) {
      const all = [...restored]
      for (const { index, name, reason } of refused) {
        const refusal = createRefusal(reason)
        all[index] = name === null ? refusal : { ...(all[index] as object), [name]: refusal }
      }
      return all
    },
  }
}

/** A promise that rejects when it is waited for, and not before. */
function createRefusal(reason: string): Promise<never> {
  const promise = new Promise<never>(() => {})
  const then = (...handlers: Parameters<Promise<never>['then']>) =>
    Promise.reject(frameworkError('REQUEST_IN_CACHE', { api: reason })).then(...handlers)
  return Object.defineProperties(promise, {
    constructor: { value: undefined },
    // biome-ignore lint/suspicious/noThenProperty: it is a promise, and stays one
    then: { value: then },
  })
}

function without(object: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  )
}
