export declare const base64: string;
