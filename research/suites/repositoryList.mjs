import { createShop } from './shopStub.mjs'

/**
 * A public application. `edits` are what a person must write by hand, each with its reason beside it;
 * `before` runs between the build and the server; `skipped` are pages that need the network;
 * `services` is what others respond, by the beginning of their addresses: JSON, or what returns it for
 * the JSON of a request.
 * @typedef {{
 *   repository: string,
 *   env?: Record<string, string>,
 *   hasDatabase?: boolean,
 *   services?: Record<string, unknown>,
 *   edits?: readonly { file: string, from: string | RegExp, to: string }[],
 *   before?: readonly (readonly string[])[],
 *   paths?: readonly string[],
 *   skipped?: readonly string[],
 * }} Repository
 */

/** Pages from which Clerk redirects to its own host, which can't be reached. */
const clerkPages = ['', '/fr'].flatMap((locale) =>
  ['/sign-in', '/sign-up', '/dashboard'].flatMap((page) => [locale + page, `${locale}${page}/`]),
)

/** @type {readonly Repository[]} */
export const repositories = [
  { repository: 'https://github.com/cruip/open-react-template' },
  { repository: 'https://github.com/salimi-my/shadcn-ui-sidebar' },
  { repository: 'https://github.com/ibelick/nim' },
  { repository: 'https://github.com/nobruf/shadcn-landing-page' },
  {
    repository: 'https://github.com/theodorusclarence/ts-nextjs-tailwind-starter',
    // A link that shows the not-found page.
    skipped: ['/404'],
  },
  { repository: 'https://github.com/TailAdmin/free-nextjs-admin-dashboard' },
  { repository: 'https://github.com/NextAdminHQ/nextjs-admin-dashboard' },
  {
    repository: 'https://github.com/said7388/developer-portfolio',
    services: { 'https://dev.to/api/articles': [] },
  },
  { repository: 'https://github.com/dillionverma/portfolio' },
  { repository: 'https://github.com/Blazity/next-enterprise' },
  { repository: 'https://github.com/adrianhajdin/project_next_13_ai_prompt_sharing' },
  {
    repository: 'https://github.com/nextjs/saas-starter',
    hasDatabase: true,
    env: {
      AUTH_SECRET: 'a secret of the suite, of thirty-two characters',
      BASE_URL: 'http://localhost:3000',
      STRIPE_SECRET_KEY: 'sk_test_suite',
      STRIPE_WEBHOOK_SECRET: 'whsec_suite',
    },
    // At build, the page of prices calls Stripe, which can't be reached.
    edits: [
      {
        file: 'app/(dashboard)/pricing/page.tsx',
        from: 'export const revalidate = 3600;',
        to: "export const dynamic = 'force-dynamic';",
      },
    ],
    before: [['npx', 'drizzle-kit', 'migrate']],
    skipped: ['/pricing'],
    paths: ['/', '/sign-in', '/sign-up', '/dashboard'],
  },
  {
    repository: 'https://github.com/i18next/next-app-dir-i18next-example',
    // A program for translators is not in the registry.
    env: { npm_config_omit: 'dev' },
  },
  {
    repository: 'https://github.com/devias-io/material-kit-react',
    paths: ['/', '/dashboard/account', '/auth/sign-up'],
  },
  {
    repository: 'https://github.com/arhamkhnz/next-shadcn-admin-dashboard',
    paths: ['/', '/auth/v1/login', '/auth/v2/register', '/unauthorized'],
  },
  {
    repository: 'https://github.com/sadmann7/tablecn',
    hasDatabase: true,
    before: [
      ['npx', 'drizzle-kit', 'push', '--force'],
      ['npx', 'tsx', 'src/db/seed.ts'],
    ],
  },
  {
    repository: 'https://github.com/vercel/commerce',
    env: {
      COMPANY_NAME: 'Suite',
      SITE_NAME: 'Suite',
      SHOPIFY_REVALIDATION_SECRET: 'suite',
      SHOPIFY_STOREFRONT_ACCESS_TOKEN: 'suite',
      SHOPIFY_STORE_DOMAIN: 'shop.test',
    },
    services: { 'https://shop.test/': createShop() },
  },
  { repository: 'https://github.com/timlrx/tailwind-nextjs-starter-blog' },
  { repository: 'https://github.com/leerob/next-mdx-blog' },
  { repository: 'https://github.com/leerob/site' },
  {
    repository: 'https://github.com/ixartz/Next-js-Boilerplate',
    hasDatabase: true,
    skipped: clerkPages,
    paths: ['/', '/about', '/counter', '/fr'],
  },
  {
    repository: 'https://github.com/ixartz/SaaS-Boilerplate',
    hasDatabase: true,
    skipped: clerkPages,
    paths: ['/', '/fr'],
  },
  { repository: 'https://github.com/delbaoliveira/website' },
]
