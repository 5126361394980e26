export type { ContractConfig, HandlerRequest, Persona } from './config/contractConfig.ts'
