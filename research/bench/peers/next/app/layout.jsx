import Link from 'next/link'
import { Layout } from '../shared/layout.tsx'

export default function RootLayout({ children }) {
  return <Layout Link={Link}>{children}</Layout>
}
