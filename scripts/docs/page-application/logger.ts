export declare const logger: { warn(values: object, message: string): void }
