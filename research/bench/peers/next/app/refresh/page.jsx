import { readQuery } from '../../shared/query.ts'
import { Content } from './content.jsx'

export default async function Page({ searchParams }) {
  await readQuery(searchParams)
  return <Content />
}
