/** Returns `null`, as `next/compat/router` does outside `pages/`. */
export function useRouter(): null {
  return null
}
