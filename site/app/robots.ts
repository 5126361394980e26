import type { RobotsFile } from 'waymark'
import { origin } from './_ui/origin.ts'

export default function robots(): RobotsFile {
  return { rules: { userAgent: '*', allow: '/' }, sitemap: `${origin}/sitemap.xml` }
}
