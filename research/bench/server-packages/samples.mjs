/**
 * Packages that servers use, each with code that calls it.
 * `packages` are installed; `code` is the body of an async function whose result is shown. A database
 * that nobody runs refuses the connection, and the driver says so: `refused` of `run.mjs`.
 */

const closed = '127.0.0.1:9'

/** @typedef {{ group: string, name: string, packages?: string[], imports: string, code: string, shows: RegExp }} Sample */

/** @type {readonly Sample[]} */
export const samples = [
  {
    group: 'Databases',
    name: 'pg',
    imports: "import { Client } from 'pg'",
    code: `return refused(new Client('postgres://a:b@${closed}/c').connect())`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Databases',
    name: 'postgres',
    imports: "import postgres from 'postgres'",
    code: `return refused(postgres('postgres://a:b@${closed}/c', { max: 1 })\`select 1\`)`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Databases',
    name: 'mysql2',
    imports: "import mysql from 'mysql2/promise'",
    code: "return refused(mysql.createConnection({ host: '127.0.0.1', port: 9, user: 'a' }))",
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Databases',
    name: 'mariadb',
    imports: "import { createConnection } from 'mariadb'",
    code: "return refused(createConnection({ host: '127.0.0.1', port: 9, user: 'a', connectTimeout: 2000 }))",
    shows: /ECONNREFUSED|timeout/,
  },
  {
    group: 'Databases',
    name: 'mongodb',
    imports: "import { MongoClient } from 'mongodb'",
    code: `return refused(new MongoClient('mongodb://${closed}', { serverSelectionTimeoutMS: 300 }).connect())`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Databases',
    name: 'mongoose',
    imports: "import mongoose from 'mongoose'",
    code: `const Cat = mongoose.models.Cat ?? mongoose.model('Cat', new mongoose.Schema({ name: String }))
    return new Cat({ name: 'Tom' }).name`,
    shows: /^Tom$/,
  },
  {
    group: 'Databases',
    name: 'better-sqlite3',
    imports: "import Database from 'better-sqlite3'",
    code: "return new Database(':memory:').prepare('select 1 + 1 as two').get()",
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: '@libsql/client',
    imports: "import { createClient } from '@libsql/client'",
    code: "return (await createClient({ url: ':memory:' }).execute('select 1 + 1 as two')).rows",
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: 'knex',
    packages: ['knex', 'better-sqlite3'],
    imports: "import knex from 'knex'",
    code: `const db = knex({ client: 'better-sqlite3', connection: ':memory:', useNullAsDefault: true })
    return db.select(db.raw('1 + 1 as two'))`,
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: 'sequelize',
    packages: ['sequelize', 'mysql2'],
    imports: "import { Sequelize } from 'sequelize'",
    code: "return refused(new Sequelize('mysql://a:b@127.0.0.1:9/c', { logging: false }).authenticate())",
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Databases',
    name: 'typeorm',
    packages: ['typeorm', 'better-sqlite3', 'reflect-metadata'],
    imports: "import 'reflect-metadata'\nimport { DataSource } from 'typeorm'",
    code: `const db = new DataSource({ type: 'better-sqlite3', database: ':memory:' })
    await db.initialize()
    return db.query('select 1 + 1 as two')`,
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: 'drizzle-orm',
    packages: ['drizzle-orm', 'better-sqlite3'],
    imports: `import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'`,
    code: "return drizzle(':memory:').all(sql`select 1 + 1 as two`)",
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: 'kysely',
    packages: ['kysely', 'better-sqlite3'],
    imports: `import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'`,
    code: `const db = new Kysely({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
    return (await sql\`select 1 + 1 as two\`.execute(db)).rows`,
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: '@prisma/client',
    packages: ['@prisma/client', 'prisma', '@prisma/adapter-better-sqlite3'],
    imports: `import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaClient } from '../../generated/prisma/client.ts'`,
    code: `const db = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: ':memory:' }) })
    return (await db.$queryRaw\`select 1 + 1 as two\`).map(({ two }) => ({ two: Number(two) }))`,
    shows: /"two":2/,
  },
  {
    group: 'Databases',
    name: 'redis',
    imports: "import { createClient } from 'redis'",
    code: `const client = createClient({ url: 'redis://${closed}', socket: { reconnectStrategy: false } })
    client.on('error', () => {})
    return refused(client.connect())`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Databases',
    name: 'ioredis',
    imports: "import { Redis } from 'ioredis'",
    code: `const client = new Redis({ host: '127.0.0.1', port: 9, lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => {})
    return refused(client.connect())`,
    shows: /ECONNREFUSED|closed/,
  },
  {
    group: 'Queues',
    name: 'bullmq',
    imports: "import { Queue } from 'bullmq'",
    code: `const connection = { host: '127.0.0.1', port: 9, retryStrategy: () => null }
    const queue = new Queue('mails', { connection })
    const failed = new Promise((resolve) => queue.on('error', resolve))
    queue.waitUntilReady().catch(() => {})
    return refused(failed.then((error) => Promise.reject(error)))`,
    shows: /ECONNREFUSED|closed/,
  },
  {
    group: 'Queues',
    name: 'amqplib',
    imports: "import amqp from 'amqplib'",
    code: `return refused(amqp.connect('amqp://${closed}'))`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Queues',
    name: 'kafkajs',
    imports: "import { Kafka, logLevel } from 'kafkajs'",
    code: `const kafka = new Kafka({ brokers: ['${closed}'], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    return refused(kafka.admin().connect())`,
    shows: /Connection error/,
  },
  {
    group: 'Queues',
    name: '@nats-io/transport-node',
    imports: "import { connect } from '@nats-io/transport-node'",
    code: `return refused(connect({ servers: '${closed}', timeout: 500 }))`,
    shows: /refused/i,
  },
  {
    group: 'Queues',
    name: '@aws-sdk/client-sqs',
    imports: "import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'",
    code: `const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
    const client = new SQSClient({ region: 'a', endpoint: 'http://${closed}', credentials, maxAttempts: 1 })
    return refused(client.send(new ListQueuesCommand({})))`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Mail',
    name: 'nodemailer',
    imports: "import nodemailer from 'nodemailer'",
    code: `const sent = await nodemailer.createTransport({ jsonTransport: true }).sendMail({ to: 'a@b.example', text: 'hello' })
    return JSON.parse(sent.message).text`,
    shows: /^hello$/,
  },
  {
    group: 'Mail',
    name: 'resend',
    imports: "import { Resend } from 'resend'",
    code: "return typeof new Resend('re_123').emails.send",
    shows: /^function$/,
  },
  {
    group: 'Mail',
    name: '@sendgrid/mail',
    imports: "import mail from '@sendgrid/mail'",
    code: "mail.setApiKey('SG.a')\n    return typeof mail.send",
    shows: /^function$/,
  },
  {
    group: 'Mail',
    name: 'mailparser',
    imports: "import { simpleParser } from 'mailparser'",
    code: "return (await simpleParser('Subject: hello\\r\\n\\r\\ntext')).subject",
    shows: /^hello$/,
  },
  {
    group: 'Logs',
    name: 'pino',
    imports: "import pino from 'pino'",
    code: `let line = ''
    pino({ base: null }, { write: (text: string) => { line = text } }).info('hello')
    return line`,
    shows: /"msg":"hello"/,
  },
  {
    group: 'Logs',
    name: 'pino-pretty',
    packages: ['pino', 'pino-pretty'],
    imports: `import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'`,
    code: `const destination = join(tmpdir(), \`waymark-pino-\${process.pid}.log\`)
    const transport = pino.transport({ target: 'pino-pretty', options: { destination, colorize: false } })
    pino(transport).info('hello')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return readFile(destination, 'utf8')`,
    shows: /INFO.*hello/,
  },
  {
    group: 'Logs',
    name: 'winston',
    imports: "import winston from 'winston'",
    code: `const logger = winston.createLogger({ transports: [new winston.transports.Console({ silent: true })] })
    return logger.info('hello').level`,
    shows: /^info$/,
  },
  {
    group: 'Logs',
    name: '@sentry/node',
    imports: "import * as Sentry from '@sentry/node'",
    code: `Sentry.init({ dsn: 'http://a@${closed}/1' })
    return Sentry.captureException(new Error('hello'))`,
    shows: /^[\da-f]{32}$/,
  },
  {
    group: 'Clouds',
    name: '@aws-sdk/client-s3',
    imports: "import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'",
    code: `const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
    const client = new S3Client({ region: 'a', endpoint: 'http://${closed}', credentials, maxAttempts: 1 })
    return refused(client.send(new ListBucketsCommand({})))`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Clouds',
    name: 'firebase-admin',
    imports: `import { getApps, initializeApp } from 'firebase-admin/app'
import { getFirestore, Timestamp } from 'firebase-admin/firestore'`,
    code: `process.env.FIRESTORE_EMULATOR_HOST = '${closed}'
    const app = getApps()[0] ?? initializeApp({ projectId: 'demo' })
    const read = getFirestore(app).doc('a/b').get()
    const waiting = new Promise((resolve) => setTimeout(resolve, 1_000, 'waits'))
    return [Timestamp.fromMillis(0).seconds, await Promise.race([refused(read), waiting])]`,
    shows: /\[0,"(?:waits|.*(?:ECONNREFUSED|UNAVAILABLE).*)"\]/,
  },
  {
    group: 'Clouds',
    name: '@google-cloud/storage',
    imports: "import { Storage } from '@google-cloud/storage'",
    code: `const storage = new Storage({ apiEndpoint: 'http://${closed}', projectId: 'demo', retryOptions: { autoRetry: false } })
    return refused(storage.getBuckets())`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Clouds',
    name: '@azure/storage-blob',
    imports: "import { BlobServiceClient } from '@azure/storage-blob'",
    code: `const client = new BlobServiceClient('http://${closed}/a', undefined, { retryOptions: { maxTries: 1 } })
    return refused(client.getProperties())`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Clouds',
    name: 'stripe',
    imports: "import Stripe from 'stripe'",
    code: `const stripe = new Stripe('sk_test_1', { host: '127.0.0.1', port: 9, protocol: 'http', maxNetworkRetries: 0 })
    return refused(stripe.balance.retrieve())`,
    shows: /connection to Stripe/,
  },
  {
    group: 'Clouds',
    name: 'openai',
    imports: "import OpenAI from 'openai'",
    code: `const client = new OpenAI({ apiKey: 'a', baseURL: 'http://${closed}', maxRetries: 0 })
    return refused(client.models.list())`,
    shows: /Connection error/,
  },
  {
    group: 'PDF and office',
    name: 'pdfkit',
    imports: "import PDFDocument from 'pdfkit'",
    code: `const document = new PDFDocument()
    document.text('hello').end()
    const chunks: Buffer[] = []
    for await (const chunk of document) chunks.push(chunk)
    return Buffer.concat(chunks).subarray(0, 5).toString()`,
    shows: /^%PDF-$/,
  },
  {
    group: 'PDF and office',
    name: 'pdf-lib',
    imports: "import { PDFDocument, StandardFonts } from 'pdf-lib'",
    code: `const document = await PDFDocument.create()
    document.addPage().drawText('hello', { font: await document.embedFont(StandardFonts.Helvetica) })
    return Buffer.from(await document.save()).subarray(0, 5).toString()`,
    shows: /^%PDF-$/,
  },
  {
    group: 'PDF and office',
    name: 'puppeteer-core',
    imports: "import puppeteer from 'puppeteer-core'",
    code: "return refused(puppeteer.launch({ executablePath: '/nowhere/chrome' }))",
    shows: /not found|ENOENT/,
  },
  {
    group: 'PDF and office',
    name: 'exceljs',
    imports: "import ExcelJS from 'exceljs'",
    code: `const book = new ExcelJS.Workbook()
    book.addWorksheet('a').addRow(['hello'])
    return Buffer.from(await book.xlsx.writeBuffer()).subarray(0, 2).toString()`,
    shows: /^PK$/,
  },
  {
    group: 'Images',
    name: 'sharp',
    imports: "import sharp from 'sharp'",
    code: `const create = { width: 8, height: 8, channels: 3 as const, background: 'red' }
    return (await sharp({ create }).png().toBuffer()).subarray(1, 4).toString()`,
    shows: /^PNG$/,
  },
  {
    group: 'Images',
    name: 'jimp',
    imports: "import { Jimp } from 'jimp'",
    code: `const image = new Jimp({ width: 8, height: 8, color: 0xff0000ff })
    return (await image.getBuffer('image/png')).subarray(1, 4).toString()`,
    shows: /^PNG$/,
  },
  {
    group: 'Images',
    name: 'qrcode',
    imports: "import QRCode from 'qrcode'",
    code: "return (await QRCode.toDataURL('hello')).slice(0, 22)",
    shows: /^data:image\/png;base64,$/,
  },
  {
    group: 'Sign-in',
    name: 'bcrypt',
    imports: "import bcrypt from 'bcrypt'",
    code: "return bcrypt.compare('a', await bcrypt.hash('a', 4))",
    shows: /^true$/,
  },
  {
    group: 'Sign-in',
    name: 'bcryptjs',
    imports: "import bcrypt from 'bcryptjs'",
    code: "return bcrypt.compare('a', await bcrypt.hash('a', 4))",
    shows: /^true$/,
  },
  {
    group: 'Sign-in',
    name: 'argon2',
    imports: "import argon2 from 'argon2'",
    code: "return argon2.verify(await argon2.hash('a', { memoryCost: 1024 }), 'a')",
    shows: /^true$/,
  },
  {
    group: 'Sign-in',
    name: '@node-rs/argon2',
    imports: "import { hash, verify } from '@node-rs/argon2'",
    code: "return verify(await hash('a', { memoryCost: 1024 }), 'a')",
    shows: /^true$/,
  },
  {
    group: 'Sign-in',
    name: 'jsonwebtoken',
    imports: "import jwt from 'jsonwebtoken'",
    code: "return (jwt.verify(jwt.sign({ name: 'Ada' }, 'secret'), 'secret') as { name: string }).name",
    shows: /^Ada$/,
  },
  {
    group: 'Sign-in',
    name: 'jose',
    imports: "import { jwtVerify, SignJWT } from 'jose'",
    code: `const key = new TextEncoder().encode('secret'.repeat(8))
    const token = await new SignJWT({ name: 'Ada' }).setProtectedHeader({ alg: 'HS256' }).sign(key)
    return (await jwtVerify(token, key)).payload.name`,
    shows: /^Ada$/,
  },
  {
    group: 'Sign-in',
    name: 'passport',
    imports: "import passport from 'passport'",
    code: "return typeof new passport.Passport().authenticate('a')",
    shows: /^function$/,
  },
  {
    group: 'Sign-in',
    name: 'openid-client',
    imports: "import * as client from 'openid-client'",
    code: "return (await client.calculatePKCECodeChallenge('a')).length",
    shows: /^43$/,
  },
  {
    group: 'Others',
    name: 'geoip-lite',
    imports: "import geoip from 'geoip-lite'",
    code: "return geoip.lookup('8.8.8.8')?.country",
    shows: /^US$/,
  },
  {
    group: 'Others',
    name: 'jsdom',
    imports: "import { JSDOM } from 'jsdom'",
    code: "return new JSDOM('<p style=\"color: red\">hello</p>').window.document.querySelector('p')?.textContent",
    shows: /^hello$/,
  },
  {
    group: 'Others',
    name: 'cheerio',
    imports: "import { load } from 'cheerio'",
    code: "return load('<p>hello</p>')('p').text()",
    shows: /^hello$/,
  },
  {
    group: 'Others',
    name: 'ejs',
    imports: "import ejs from 'ejs'",
    code: "return ejs.render('<%= word %>', { word: 'hello' })",
    shows: /^hello$/,
  },
  {
    group: 'Others',
    name: 'handlebars',
    imports: "import Handlebars from 'handlebars'",
    code: "return Handlebars.compile('{{word}}')({ word: 'hello' })",
    shows: /^hello$/,
  },
  {
    group: 'Others',
    name: 'axios',
    imports: "import axios from 'axios'",
    code: `return refused(axios.get('http://${closed}'))`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Others',
    name: 'undici',
    imports: "import { request } from 'undici'",
    code: `return refused(request('http://${closed}'))`,
    shows: /ECONNREFUSED/,
  },
  {
    group: 'Others',
    name: 'ws',
    imports: "import { WebSocketServer } from 'ws'",
    code: 'return new WebSocketServer({ noServer: true }).options.noServer',
    shows: /^true$/,
  },
  {
    group: 'Others',
    name: 'sanitize-html',
    imports: "import sanitize from 'sanitize-html'",
    code: 'return sanitize(\'<p onclick="a">hello</p>\')',
    shows: /^<p>hello<\/p>$/,
  },
]
