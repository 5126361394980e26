import { ClientRowsContent } from '../../shared/rows.tsx'

export { loader } from './rows.jsx'

export default function Page({ loaderData }) {
  return <ClientRowsContent query={loaderData.query} list={loaderData.list} />
}
