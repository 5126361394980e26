import { Toggle } from '../../shared/toggle.tsx'
import ItemsPage from './items.jsx'

export { loader } from './items.jsx'

export default function Page({ loaderData }) {
  return (
    <>
      <Toggle />
      <ItemsPage loaderData={loaderData} />
    </>
  )
}
