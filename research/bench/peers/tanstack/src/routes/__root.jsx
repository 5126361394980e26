import { createRootRoute, HeadContent, Scripts } from '@tanstack/react-router'
import { Layout } from '../../shared/layout.tsx'
import { Link } from '../link.jsx'

export const Route = createRootRoute({ shellComponent: Root })

function Root({ children }) {
  return (
    <Layout Link={Link} head={<HeadContent />} scripts={<Scripts />}>
      {children}
    </Layout>
  )
}
