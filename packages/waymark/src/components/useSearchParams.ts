'use client'

import { useMemo } from 'react'
import {
  parseSearchParams,
  type SchemaOutput,
  type StandardSchema,
  searchParamsIssues,
} from '../routing/searchParams.ts'
import { frameworkError } from '../shared/errors.ts'
import { useAddress } from './hooks.ts'

/** Returns the query of the current page. */
export function useSearchParams(): URLSearchParams
/**
 * Returns the query of the current page, validated and transformed by a schema.
 * @param schema a synchronous schema of any library that implements Standard Schema
 * @throws `SEARCH_PARAMS` if the query doesn't fit the schema
 */
export function useSearchParams<Schema extends StandardSchema>(schema: Schema): SchemaOutput<Schema>
export function useSearchParams(schema?: StandardSchema): unknown {
  const search = useAddress('search')
  return useMemo(
    () => (schema ? validated(schema, search) : new URLSearchParams(search)),
    [schema, search],
  )
}

function validated(schema: StandardSchema, search: string): unknown {
  const result = schema['~standard'].validate(parseSearchParams(search))
  const refuse = (reason: string) => frameworkError('SEARCH_PARAMS', { search, reason })
  if (result instanceof Promise) throw refuse("the schema is asynchronous, but hooks can't wait")
  if (result.issues) throw refuse(searchParamsIssues(result.issues))
  return result.value
}
