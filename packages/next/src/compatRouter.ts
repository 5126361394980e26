/** The router of `pages/`, for components that are used in both: there is none. */
export function useRouter(): null {
  return null
}
