import { SmallContent } from '../../shared/small.tsx'

export function loader({ request }) {
  return { query: new URL(request.url).searchParams.get('q') ?? 'none' }
}

export default function Page({ loaderData }) {
  return <SmallContent query={loaderData.query} />
}
