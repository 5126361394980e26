import { items, rows } from '../shared/lists.ts'

/** The data that the pages read on the server. */
export const readQuery = ({ url }) => ({ query: url.searchParams.get('q') ?? 'none' })

export const readItems = (event) => ({ ...readQuery(event), list: items })

export const readRows = (event) => ({ ...readQuery(event), list: rows })
