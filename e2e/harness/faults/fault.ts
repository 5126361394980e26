export type { Fault, ProxiedRequest } from '@waymark/testing'
