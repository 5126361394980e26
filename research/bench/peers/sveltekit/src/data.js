import { items } from '../shared/items.tsx'

/** The data that the pages read on the server. */
export const readQuery = ({ url }) => ({ query: url.searchParams.get('q') ?? 'none' })

export const readItems = (event) => ({ ...readQuery(event), list: items })
