// What pages take for granted without importing it: the values of a form, and the URL of a server.
declare const email: string
declare const password: string
declare const form: HTMLFormElement
declare const url: string

declare function wait(seconds: number): void
