/** Returns the value of `?q=`, or `none`. */
export const readQuery = (url: URL) => url.searchParams.get('q') ?? 'none'
