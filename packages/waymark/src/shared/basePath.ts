import { mounted, unmounted } from './mountPath.ts'

/** Path that the app is mounted at, `/docs`; empty for the root, and in a unit test. Vite writes it in. */
export const basePath: string = import.meta.env?.WAYMARK_BASE_PATH ?? ''

// The conditions name the variable, so that the code of an app at the root has none of this.

/** Writes a path of the app as browsers have it; anything else stays as it is. */
export function withBasePath(path: string): string {
  return import.meta.env?.WAYMARK_BASE_PATH ? mounted(path, basePath) : path
}

/** Takes the base off a path as browsers have it; `null` for what is not of the app. */
export function withoutBasePath(path: string): string | null {
  return import.meta.env?.WAYMARK_BASE_PATH ? unmounted(path, basePath) : path
}
