import { searchIndex } from '../../_ui/searchIndex.ts'

export const dynamic = 'force-static'

export const GET = () => Response.json(searchIndex('de'))
