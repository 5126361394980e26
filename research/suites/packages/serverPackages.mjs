/**
 * A package that App Router apps use, in a page of its own.
 * @typedef {{
 *   name: string,
 *   also?: readonly string[],
 *   top: string,
 *   client?: string,
 *   body?: string,
 *   jsx: string,
 *   shows: RegExp,
 *   env?: Readonly<Record<string, string>>,
 * }} PackageSample `also` are packages that it needs beside it; `top` stands before the component,
 *   `body` before its `return`; `client` is a file of client components, './client'; the text of the
 *   page matches `shows`
 */

/** @type {Readonly<Record<string, readonly PackageSample[]>>} Packages that server components call. */
export const serverPackages = {
  Authentication: [
    {
      name: 'next-auth',
      top: "import { getServerSession } from 'next-auth'",
      body: 'const session = await getServerSession({ providers: [] })',
      jsx: "<p>{session ? 'signed in' : 'signed out'}</p>",
      shows: /signed out/,
      env: {
        NEXTAUTH_SECRET: 'the-secret-of-this-app-of-the-suite',
        NEXTAUTH_URL: 'http://localhost',
      },
    },
    {
      name: 'better-auth',
      top: "import { betterAuth } from 'better-auth'\nimport { memoryAdapter } from 'better-auth/adapters/memory'\nimport { headers } from 'next/headers'\nconst auth = betterAuth({ secret: 'the-secret-of-this-app-of-the-suite', baseURL: 'http://localhost', database: memoryAdapter({ user: [], session: [], account: [], verification: [] }) })",
      body: 'const session = await auth.api.getSession({ headers: await headers() })',
      jsx: "<p>{session ? 'signed in' : 'signed out'}</p>",
      shows: /signed out/,
    },
    {
      name: '@clerk/nextjs',
      top: "import { ClerkProvider, SignInButton } from '@clerk/nextjs'\nimport { createClerkClient } from '@clerk/nextjs/server'\nimport { Session } from './client'",
      body: "const client = createClerkClient({ secretKey: 'sk_test_1' })",
      jsx: '<ClerkProvider telemetry={false}><p>users: {typeof client.users.getUser}</p><SignInButton /><Session /></ClerkProvider>',
      // Calls the action with which Clerk makes the server's pages change with the session.
      client:
        "import { useAuth } from '@clerk/nextjs'\nimport { useEffect, useState } from 'react'\nexport function Session() {\n  const { isSignedIn } = useAuth()\n  const [told, setTold] = useState('')\n  useEffect(() => void (window as any).__internal_onBeforeSetActive('sign-in').then(() => setTold('told')), [])\n  return <p>{isSignedIn ? 'signed in' : 'signed out'}, {told}</p>\n}",
      shows: /users: functionSign insigned out, told/,
      env: {
        CLERK_SECRET_KEY: 'sk_test_1',
        // The host of a service that does not exist, `clerk.example.dev$`.
        NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_Y2xlcmsuZXhhbXBsZS5kZXYk',
      },
    },
    {
      name: '@supabase/ssr',
      also: ['@supabase/supabase-js'],
      top: "import { createServerClient } from '@supabase/ssr'\nimport { cookies } from 'next/headers'",
      body: "const jar = await cookies()\nconst client = createServerClient('http://127.0.0.1:1', 'key', { cookies: { getAll: () => jar.getAll(), setAll() {} } })\nconst { data } = await client.auth.getSession()",
      jsx: "<p>{data.session ? 'signed in' : 'signed out'}</p>",
      shows: /signed out/,
    },
    {
      name: 'iron-session',
      top: "import { sealData, unsealData } from 'iron-session'\nconst password = 'a-password-of-thirty-two-characters-'",
      body: "const { user } = await unsealData<{ user: string }>(await sealData({ user: 'ada' }, { password }), { password })",
      jsx: '<p>sealed {user}</p>',
      shows: /sealed ada/,
    },
    {
      name: 'jose',
      top: "import { jwtVerify, SignJWT } from 'jose'\nconst key = new TextEncoder().encode('the-secret-of-this-app-of-the-suite')",
      body: "const token = await new SignJWT({ user: 'ada' }).setProtectedHeader({ alg: 'HS256' }).sign(key)\nconst { payload } = await jwtVerify(token, key)",
      jsx: '<p>token of {String(payload.user)}</p>',
      shows: /token of ada/,
    },
    {
      name: 'bcryptjs',
      top: "import { compare, hash } from 'bcryptjs'",
      body: "const isSame = await compare('secret', await hash('secret', 4))",
      jsx: '<p>same: {String(isSame)}</p>',
      shows: /same: true/,
    },
  ],
  Databases: [
    {
      name: 'drizzle-orm',
      also: ['@libsql/client'],
      top: "import { drizzle } from 'drizzle-orm/libsql'\nimport { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'\nconst users = sqliteTable('users', { id: integer().primaryKey(), name: text() })",
      body: "const database = drizzle(':memory:')\nawait database.run('create table users (id integer primary key, name text)')\nawait database.insert(users).values({ name: 'ada' })\nconst rows = await database.select().from(users)",
      jsx: '<p>row of {rows[0]?.name}</p>',
      shows: /row of ada/,
    },
    {
      name: 'kysely',
      top: "import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'\nconst database = new Kysely<{ users: { name: string } }>({ dialect: { createAdapter: () => new SqliteAdapter(), createDriver: () => new DummyDriver(), createIntrospector: (each) => new SqliteIntrospector(each), createQueryCompiler: () => new SqliteQueryCompiler() } })",
      jsx: "<p>{database.selectFrom('users').select('name').compile().sql}</p>",
      shows: /select "name" from "users"/,
    },
    {
      name: 'mongoose',
      top: "import mongoose from 'mongoose'\nconst User = mongoose.models.User ?? mongoose.model('User', new mongoose.Schema({ name: { type: String, required: true } }))",
      body: 'const problem = new User({}).validateSync()',
      jsx: '<p>{problem?.message}</p>',
      shows: /Path `name` is required/,
    },
    {
      name: 'pg',
      top: "import pg from 'pg'",
      jsx: "<p>{new pg.Client().escapeIdentifier('a table')}</p>",
      shows: /"a table"/,
    },
    {
      name: 'mysql2',
      top: "import mysql from 'mysql2'",
      jsx: "<p>{mysql.format('select ?', ['it'])}</p>",
      shows: /select 'it'/,
    },
    {
      name: 'ioredis',
      top: "import { Redis } from 'ioredis'",
      jsx: '<p>redis: {new Redis({ lazyConnect: true }).status}</p>',
      shows: /redis: wait/,
    },
  ],
  'Mail, payments, content': [
    {
      name: 'resend',
      top: "import { Resend } from 'resend'",
      jsx: "<p>mails: {typeof new Resend('re_1').emails.send}</p>",
      shows: /mails: function/,
    },
    {
      name: 'nodemailer',
      top: "import nodemailer from 'nodemailer'",
      body: "const sent = await nodemailer.createTransport({ jsonTransport: true }).sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Mail', text: 'of the suite' })",
      jsx: '<p>{String(sent.message)}</p>',
      shows: /of the suite/,
    },
    {
      name: '@react-email/components',
      top: "import { Button, render } from '@react-email/components'",
      body: 'const html = await render(<Button href="https://example.com">Press</Button>)',
      jsx: '<p>{html}</p>',
      shows: /href="https:\/\/example\.com/,
    },
    {
      name: '@react-pdf/renderer',
      top: "import { Document, Page, renderToBuffer, Text } from '@react-pdf/renderer'",
      body: 'const file = await renderToBuffer(<Document><Page><Text>A letter</Text></Page></Document>)',
      jsx: '<p>a file of {file.subarray(0, 5).toString()} and more</p>',
      shows: /a file of %PDF-/,
    },
    {
      name: 'stripe',
      top: "import Stripe from 'stripe'\nconst stripe = new Stripe('sk_test_1')",
      body: "const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload: '{}', secret: 'whsec_1' })",
      jsx: '<p>signature {header}</p>',
      shows: /signature t=\d+,v1=/,
    },
    {
      name: '@sanity/client',
      top: "import { createClient } from '@sanity/client'",
      jsx: "<p>{createClient({ projectId: 'suite', dataset: 'production', useCdn: false, apiVersion: '2026-01-01' }).getUrl('/data')}</p>",
      shows: /suite\.api\.sanity\.io/,
    },
    {
      name: 'openai',
      top: "import OpenAI from 'openai'",
      jsx: "<p>model: {typeof new OpenAI({ apiKey: 'sk-1' }).responses.create}</p>",
      shows: /model: function/,
    },
    {
      name: 'pino',
      top: "import pino from 'pino'\nconst lines: string[] = []\nconst log = pino({ base: null }, { write: (line) => lines.push(line) })",
      body: "log.info('of the suite')",
      jsx: '<p>{lines.at(-1)}</p>',
      shows: /"msg":"of the suite"/,
    },
    {
      name: '@trpc/server',
      top: "import { initTRPC } from '@trpc/server'\nconst t = initTRPC.create()\nconst router = t.router({ greet: t.procedure.query(() => 'called by tRPC') })",
      body: 'const text = await t.createCallerFactory(router)({}).greet()',
      jsx: '<p>{text}</p>',
      shows: /called by tRPC/,
    },
    {
      name: 'graphql-request',
      also: ['graphql'],
      top: "import { gql, GraphQLClient } from 'graphql-request'",
      jsx: "<p>{gql`query { suite }`} {typeof new GraphQLClient('http://127.0.0.1:1').request}</p>",
      shows: /query \{ suite \} function/,
    },
    {
      name: 'gray-matter',
      top: "import matter from 'gray-matter'",
      jsx: "<p>{matter('---\\ntitle: Matter\\n---\\ntext').data.title}</p>",
      shows: /Matter/,
    },
  ],
}
