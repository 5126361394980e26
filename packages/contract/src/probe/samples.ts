import { pathnameOf } from 'waymark/plugin/node'
import type { RouteFacts } from '../build/buildFacts.ts'
import type { ContractConfig } from '../config/contractConfig.ts'

/** A path to request for a route. */
export type Sample = {
  /** Name of the sample in the contract. Empty if the route has only one. */
  readonly label: string
  readonly path: string
}

export type FindSamples = (route: Pick<RouteFacts, 'pattern' | 'pathnames'>) => readonly Sample[]

/** Finds the paths of a route: from the configuration, or from the prerendered pages. */
export function createFindSamples({ paths = {}, params = {} }: ContractConfig): FindSamples {
  return ({ pattern, pathnames }) => {
    const configured = paths[pattern]
    if (typeof configured === 'string') return [{ label: '', path: configured }]
    if (configured) return Object.entries(configured).map(([label, path]) => ({ label, path }))
    if (!pattern.includes('[')) return [{ label: '', path: pattern }]
    const path = fillParams(pattern, params) ?? [...pathnames].sort()[0]
    return path === undefined ? [] : [{ label: '', path }]
  }
}

/**
 * Fills in the params of a pattern.
 * @returns `null` if a required param has no value
 * @throws `PARAM_VALUE`, for example for a list in a segment that takes one value
 */
function fillParams(pattern: string, params: NonNullable<ContractConfig['params']>) {
  // An optional catch-all also matches without its segments.
  const required = [...pattern.matchAll(/\/\[(?:\.\.\.)?([^[\].]+)\](?=\/|$)/g)]
  const isComplete = required.every(([, name = '']) => Object.hasOwn(params, name))
  return isComplete ? pathnameOf(pattern, params) : null
}

export function noSample(pattern: string): string {
  return `no path is known; add paths: { '${pattern}': '…' } to contract.config.ts`
}
