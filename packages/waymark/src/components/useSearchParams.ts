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

/** The query of the page shown. */
export function useSearchParams(): URLSearchParams
/**
 * The query of the page shown, validated and transformed by a schema.
 * @param schema of any library that speaks Standard Schema; it has to validate at once
 * @throws `SEARCH_PARAMS` for a query that does not fit
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
  if (result instanceof Promise) throw refuse('the schema is asynchronous, and a hook can not wait')
  if (result.issues) throw refuse(searchParamsIssues(result.issues))
  return result.value
}
