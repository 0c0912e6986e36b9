//! Decimal arithmetic on JSON lexemes, against tables and against naive big integers.

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use num_bigint::{BigInt, Sign};
use proptest::prelude::*;
use subcontract::json::number::{Decimal, NumberFlag, js_differs};

fn decimal(lexeme: &str) -> Decimal<'_> {
    Decimal::parse(lexeme.as_bytes())
}

fn canonical(lexeme: &str) -> String {
    let mut out = String::new();
    decimal(lexeme).write_canonical(&mut out);
    out
}

fn hash(lexeme: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    decimal(lexeme).hash(&mut hasher);
    hasher.finish()
}

#[test]
fn equal_values_share_order_hash_and_canonical_form() {
    let rows: &[(&str, &[&str])] = &[
        ("0", &["0", "-0", "0.0", "-0.000", "0e10", "0e-999999999999", "0E+5"]),
        ("1", &["1", "1.0", "10e-1", "0.1e1", "1e0", "1E-0", "0.00001e5"]),
        ("-1", &["-1", "-1.000", "-10e-1"]),
        ("100", &["100", "1e2", "1E+2", "100.00", "10000e-2"]),
        ("0.075", &["0.075", "75e-3", "7.5e-2"]),
        ("123456789012345678", &["123456789012345678", "123456789012345678.0"]),
        ("12345678901234567891", &["12345678901234567891", "1234567890123456789.1e1", "12345678901234567891.00"]),
        ("1e+21", &["1e21", "1000000000000000000000", "1000000000000000000000.0"]),
        ("100000000000000000000", &["1e20", "100000000000000000000"]),
        ("1.2345678901234567890123e+400", &["1.2345678901234567890123e400", "12345678901234567890123e378"]),
        ("0.000001", &["1e-6", "0.000001"]),
        ("1e-7", &["1e-7", "0.0000001"]),
        ("-1.5e-7", &["-1.5e-7", "-0.00000015"]),
        ("0.12345678901234567890123", &["0.12345678901234567890123", "12345678901234567890123e-23"]),
        ("1e+999999999", &["1e999999999", "10e999999998"]),
    ];
    for (form, lexemes) in rows {
        for a in *lexemes {
            assert_eq!(canonical(a), *form, "{a}");
            for b in *lexemes {
                assert_eq!(decimal(a), decimal(b), "{a} = {b}");
                assert_eq!(hash(a), hash(b), "{a} = {b}");
            }
        }
        assert_eq!(canonical(form), *form, "the form is its own form");
    }
}

#[test]
fn order_is_by_value() {
    let ascending = [
        "-1e999999999",
        "-1e400",
        "-12345678901234567891",
        "-10",
        "-9.5",
        "-1",
        "-0.1",
        "-1e-400",
        "0",
        "1e-999999999",
        "1e-400",
        "0.1",
        "0.10000000000000000000000000001",
        "0.11",
        "1",
        "1.5",
        "2",
        "9.99999999999999999999",
        "10",
        "9007199254740992",
        "9007199254740993",
        "12345678901234567890",
        "12345678901234567891",
        "12345678901234567891.5",
        "1e308",
        "1e400",
        "1e999999999",
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(decimal(a).cmp(&decimal(b)), i.cmp(&j), "{a} against {b}");
        }
    }
}

#[test]
fn integers_are_integers_however_they_are_written() {
    for lexeme in [
        "0",
        "-0",
        "1",
        "1.0",
        "1e2",
        "1.5e1",
        "-7",
        "100e-2",
        "1e400",
        "12345678901234567890.0",
        "1.2345678901234567890123e22",
    ] {
        assert!(decimal(lexeme).is_integer(), "{lexeme}");
    }
    for lexeme in ["0.5", "1e-1", "1.05e1", "-0.1", "1e-400", "12345678901234567890.5", "1.2345678901234567890123e21"] {
        assert!(!decimal(lexeme).is_integer(), "{lexeme}");
    }
}

#[test]
fn multiples_are_exact() {
    let rows = [
        ("1.11", "0.01", true),
        ("8.69", "0.01", true),
        ("4.35", "0.01", true),
        ("0.07", "0.01", true),
        ("0.075", "0.01", false),
        ("0.0075", "0.0001", true),
        ("0.00751", "0.0001", false),
        ("1e308", "0.123456789", false),
        ("1e308", "0.5", true),
        ("12391239123", "1e-8", true),
        ("9223372036854775808", "2", true),
        ("9223372036854775809", "2", false),
        ("1e21", "1", true),
        ("1.5", "1", false),
        ("0", "3", true),
        ("0", "0", true),
        ("1", "0", false),
        ("-9", "3", true),
        ("9", "-3", true),
        ("1e400", "1e-400", true),
        ("1e-400", "1e400", false),
        ("1e-400", "1", false),
        ("1e999999999", "7", false),
        ("1e999999999", "1024", true),
        ("7e999999999", "7", true),
        ("1e400", "1267650600228229401496703205376", true),
        ("1e99", "1267650600228229401496703205376", false),
        ("1e100", "1267650600228229401496703205376", true),
        ("3e100", "1267650600228229401496703205376", true),
        ("1e50", "88817841970012523233890533447265625", true),
        ("1e49", "88817841970012523233890533447265625", false),
        ("123456789012345678901234567890123456789", "123456789012345678901234567890123456789", true),
        ("123456789012345678901234567890123456788", "123456789012345678901234567890123456789", false),
    ];
    for (value, divisor, expected) in rows {
        assert_eq!(decimal(value).is_multiple_of(&decimal(divisor)), expected, "{value} / {divisor}");
    }
}

#[test]
fn long_literals_stay_within_their_cost() {
    let long = format!("{}1", "7".repeat(100_000));
    let other = format!("{}3", "3".repeat(60_000));
    assert!(decimal(&long).is_multiple_of(&decimal(&long)));
    assert!(!decimal(&long).is_multiple_of(&decimal(&other)));
    assert!(!decimal(&long).is_multiple_of(&decimal("7")));
    assert_eq!(decimal("12.5").multiple_of_cost(&decimal("0.5")), 1);
    assert!(decimal(&long).multiple_of_cost(&decimal("7")) < 10_000);
    assert!(decimal(&long).multiple_of_cost(&decimal(&other)) > 10_000_000);
    assert!(decimal("1e999999999").multiple_of_cost(&decimal("3e-999999999")) == 1);
    assert_eq!(canonical(&long).len(), 100_001 + 1 + "e+100000".len());
}

#[test]
fn exponents_beyond_the_limit_count_as_the_limit() {
    assert_eq!(decimal("1e99999999999999999999999999"), decimal("1e1000000000000000000"));
    assert_eq!(decimal("1e-99999999999999999999999999"), decimal("1e-1000000000000000000"));
    assert!(decimal("1e-99999999999999999999999999") > decimal("0"));
}

#[test]
fn lengths() {
    let rows = [
        ("2", Some(2)),
        ("2.0", Some(2)),
        ("2e3", Some(2000)),
        ("0", Some(0)),
        ("-0", Some(0)),
        ("-1", None),
        ("1.5", None),
        ("1e400", Some(usize::MAX)),
        ("99999999999999999999999999999999", Some(usize::MAX)),
        ("-99999999999999999999999999999999", None),
    ];
    for (lexeme, expected) in rows {
        assert_eq!(decimal(lexeme).to_usize(), expected, "{lexeme}");
    }
}

#[test]
fn flags_what_json_parse_rewrites() {
    use NumberFlag::{OutOfRange, UnsafeInteger};
    let max = (BigInt::from(1) << 1024u32) - (BigInt::from(1) << 971u32);
    let rounds_down: BigInt = (BigInt::from(1) << 1024u32) - (BigInt::from(1) << 970u32) - 1;
    let rounds_up = (BigInt::from(1) << 1024u32) - (BigInt::from(1) << 970u32);
    let rows = [
        ("9007199254740991", None),
        ("9007199254740992", None),
        ("9007199254740993", Some(UnsafeInteger)),
        ("-9007199254740993", Some(UnsafeInteger)),
        ("9007199254740993.0", Some(UnsafeInteger)),
        ("9007199254740994", None),
        ("1152921504606846976", None),
        ("1234567890123456789", Some(UnsafeInteger)),
        ("1267650600228229401496703205376", None),
        ("1267650600228229401496703205377", Some(UnsafeInteger)),
        ("12676506002282294014967032053760000", None),
        ("1e22", None),
        ("1e23", Some(UnsafeInteger)),
        ("1e15", None),
        ("0.1", None),
        ("3.141592653589793238462643383279", None),
        ("1e308", Some(UnsafeInteger)),
        ("1e309", Some(OutOfRange)),
        ("-1e400", Some(OutOfRange)),
        ("1e-400", Some(OutOfRange)),
        ("5e-324", None),
        ("2.5e-324", None),
        ("2.4e-324", Some(OutOfRange)),
        ("0e-400", None),
        ("0e400", None),
        ("1e999999999", Some(OutOfRange)),
    ];
    for (lexeme, expected) in rows {
        assert_eq!(js_differs(lexeme.as_bytes()), expected, "{lexeme}");
    }
    assert_eq!(js_differs(max.to_string().as_bytes()), None);
    assert_eq!(js_differs(rounds_down.to_string().as_bytes()), Some(UnsafeInteger));
    assert_eq!(js_differs(rounds_up.to_string().as_bytes()), Some(OutOfRange));
    assert_eq!(js_differs(b"1.7976931348623159e308"), Some(OutOfRange));
}

/// Integers and powers of ten as naive big integers: value = mantissa · 10^exponent.
fn naive(lexeme: &str) -> (BigInt, i64) {
    let (mantissa, exponent) = lexeme.split_once(['e', 'E']).unwrap_or((lexeme, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().unwrap();
    (digits, exponent.parse::<i64>().unwrap() - fraction.len() as i64)
}

fn naive_scaled(a: &str, b: &str) -> (BigInt, BigInt) {
    let ((a, ae), (b, be)) = (naive(a), naive(b));
    let low = ae.min(be);
    let ten = BigInt::from(10);
    (a * ten.pow((ae - low) as u32), b * ten.pow((be - low) as u32))
}

fn lexeme() -> impl Strategy<Value = String> {
    let digits =
        prop_oneof!["[0-9]{1,4}", "[0-9]{15,22}", "[0-9]{35,60}", "[19]0{0,40}", "9{15,40}", "0{0,3}[0-9]{1,3}0{0,25}"];
    let fraction = prop_oneof![Just(String::new()), "\\.[0-9]{1,3}", "\\.0{0,20}[0-9]{1,20}"];
    let exponent = prop_oneof![Just(String::new()), "[eE][+-]?[0-9]{1,2}"];
    (any::<bool>(), digits, fraction, exponent).prop_map(|(negative, digits, fraction, exponent)| {
        let whole = digits.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        format!("{}{whole}{fraction}{exponent}", if negative { "-" } else { "" })
    })
}

/// The same value, spelt with another exponent.
fn respelt(lexeme: &str, zeros: usize) -> String {
    let (digits, exponent) = naive(lexeme);
    format!("{digits}{}e{}", "0".repeat(zeros), exponent - zeros as i64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn agrees_with_big_integers(a in lexeme(), b in lexeme(), zeros in 0usize..30) {
        let (x, y) = naive_scaled(&a, &b);
        prop_assert_eq!(decimal(&a).cmp(&decimal(&b)), x.cmp(&y));
        prop_assert_eq!(decimal(&a).is_negative(), x.sign() == Sign::Minus);
        let multiple = if y.sign() == Sign::NoSign { x.sign() == Sign::NoSign } else { (&x % &y).sign() == Sign::NoSign };
        prop_assert_eq!(decimal(&a).is_multiple_of(&decimal(&b)), multiple);
        let (one, unit) = naive_scaled(&a, "1");
        prop_assert_eq!(decimal(&a).is_integer(), (one % unit).sign() == Sign::NoSign);
        let again = respelt(&a, zeros);
        prop_assert_eq!(decimal(&a).cmp(&decimal(&again)), Ordering::Equal);
        prop_assert_eq!(hash(&a), hash(&again));
        prop_assert_eq!(canonical(&a), canonical(&again));
        let form = canonical(&a);
        let (form, value) = naive_scaled(&form, &a);
        prop_assert_eq!(form, value);
    }

    #[test]
    fn products_are_multiples(a in "[1-9][0-9]{0,60}", b in "[1-9][0-9]{20,60}", extra in 1u32..1000) {
        let (x, y): (BigInt, BigInt) = (a.parse().unwrap(), b.parse().unwrap());
        let product = (&x * &y).to_string();
        prop_assert!(decimal(&product).is_multiple_of(&decimal(&a)));
        prop_assert!(decimal(&product).is_multiple_of(&decimal(&b)));
        let off = (&x * &y + extra).to_string();
        prop_assert!(!decimal(&off).is_multiple_of(&decimal(&b)));
    }

    #[test]
    fn out_of_range_agrees_with_doubles(digits in "[1-9][0-9]{0,20}", exponent in -350i32..330) {
        let lexeme = format!("{digits}e{exponent}");
        let double: f64 = lexeme.parse().unwrap();
        let out = double.is_infinite() || double == 0.0;
        prop_assert_eq!(js_differs(lexeme.as_bytes()) == Some(NumberFlag::OutOfRange), out);
    }

    #[test]
    fn unsafe_integers_agree_with_doubles(value in any::<i128>(), shift in 0u32..127) {
        let value = value >> shift;
        let exact = value as f64 as i128 == value;
        prop_assert_eq!(js_differs(value.to_string().as_bytes()).is_none(), exact);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let number = Decimal::parse(&bytes);
        let _ = (number.is_integer(), number.to_usize(), number.cmp(&decimal("1.5")), number.is_multiple_of(&decimal("0.7")));
        let _ = (js_differs(&bytes), decimal("3").is_multiple_of(&number));
        let mut out = String::new();
        number.write_canonical(&mut out);
    }
}
