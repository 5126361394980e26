import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import { Layout as Frame } from '../shared/layout.tsx'
import { Link } from './link.jsx'

export function Layout({ children }) {
  const head = (
    <>
      <Meta />
      <Links />
    </>
  )
  const scripts = (
    <>
      <ScrollRestoration />
      <Scripts />
    </>
  )
  return (
    <Frame Link={Link} head={head} scripts={scripts}>
      {children}
    </Frame>
  )
}

export default function App() {
  return <Outlet />
}

export function ErrorBoundary({ error }) {
  return <h1>{isRouteErrorResponse(error) ? 'Page not found' : 'Error'}</h1>
}
