import { parseSearchParams, searchParamsIssues } from '../../shared/searchParams.ts'
import { SignalError } from '../../shared/signals.ts'
import { isStandardSchema, type StandardSchema } from '../../shared/standardSchema.ts'
import { dynamicValue } from './dynamicValue.ts'
import type { RequestScope } from './scope.ts'

/** What a page may export to say which queries it takes. */
type SearchParamsModule = { readonly searchParams?: unknown; readonly [name: string]: unknown }

/**
 * Makes what hands a request's query to its pages. A page that exports a schema as `searchParams`
 * gets what the schema makes of the query; one that does not fit is a bad request (400).
 * @param search with its question mark, or empty
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
      promise = dynamicValue(scope, 'searchParams', () => validate(schema, parse()))
      validated.set(schema, promise)
    }
    return promise
  }
}

async function validate(schema: StandardSchema, params: unknown): Promise<unknown> {
  const result = await schema['~standard'].validate(params)
  if (!result.issues) return result.value
  if (import.meta.env?.DEV) {
    console.warn(`400: the query is not what the page takes.\n${searchParamsIssues(result.issues)}`)
  }
  throw new SignalError({ kind: 'fallback', status: 400 })
}
