// What errors quote of credentials, and what must not be taken for one.
import { expect, test } from 'vitest';
import { withoutCredentials } from '../../js/credentials.js';

test.each([
  ['401 Incorrect API key provided: sk-proj-4f9aXq71LmZt0Kd83Wb52.', '401 Incorrect API key provided: [hidden]'],
  ['Incorrect API key provided: sk-4f9a****************Wb52', 'Incorrect API key provided: [hidden]'],
  ['{"x-api-key":"sk-ant-api03-AbCdEf_123-xyz"}', '{"x-api-key":"[hidden]"}'],
  ['authorization: Bearer abc.def-123456', 'authorization: Bearer [hidden]'],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [hidden]'],
  ['connect postgres://admin:s3cret@10.0.0.5:5432/app', 'connect postgres://[hidden]@10.0.0.5:5432/app'],
  ['GET https://a.example/v1?key=AIzaSyD-9tSrke72PouQMnMX&x=1', 'GET https://a.example/v1?key=[hidden]&x=1'],
  [
    'https://b.example/o?X-Amz-Signature=0a1b2c&X-Amz-Date=1',
    'https://b.example/o?X-Amz-Signature=[hidden]&X-Amz-Date=1',
  ],
  ['denied for AKIAIOSFODNN7EXAMPLE', 'denied for [hidden]'],
  ['key AIzaSyD-9tSrke72PouQMnMXa7eZSW0jk', 'key [hidden]'],
  ['token ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'token [hidden]'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmN', 'jwt [hidden]'],
  ['password=hunter22; host=db', 'password=[hidden]; host=db'],
  ['client_secret: "GOCSPX-abc"', 'client_secret: "[hidden]"'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- kept', '[hidden] kept'],
  ['-----BEGIN PRIVATE KEY-----\nMIIE cut', '[hidden]'],
])('%j is hidden', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});

test.each([
  '500 Chaos: request dropped',
  'the token limit was reached: 4096 tokens',
  'expected a JSON token at position 12',
  'no such key: plan',
  'see https://a.example/docs?page=2#keys',
  'user@host.example is no address',
  'sk-learn is not installed',
  'the basic plan has no seats',
  'rejected_by: guard password_policy',
])('%j is left as it is', (text) => {
  expect(withoutCredentials(text)).toBe(text);
});

test('a text of any length costs little, and is cut', () => {
  for (const part of ['a://', 'sk-', '-----BEGIN PRIVATE KEY-----', '?key=', 'eyJaaaaaaaaa.', 'password=']) {
    expect(withoutCredentials(part.repeat(200_000)).length).toBeLessThanOrEqual(100_000);
  }
});
