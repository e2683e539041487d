//! Shapes read from text, for the tests beside each file, and what they answer.

use super::*;
use crate::bson::extended_json::parse_document;
use crate::bson::{Document, DocumentBuf};
use crate::env::NoEnv;

/// `{v: VALUE}` as a document.
pub fn holding(value: &str) -> DocumentBuf {
    parse_document(&format!("{{\"v\": {value}}}")).expect("the test wrote JSON")
}

fn value_of(document: &DocumentBuf) -> crate::bson::ValueRef<'_> {
    Document::from_valid_bytes(document.as_document().as_bytes()).get("v")
}

/// A stored value, or the words of its refusal.
pub fn stored(value: &str) -> Result<Geometry, String> {
    Geometry::stored(value_of(&holding(value)), true, &NoEnv).map_err(|refusal| refusal.message())
}

/// A shape of a query, or the words of its refusal.
pub fn asked(name: &str, value: &str) -> Result<Geometry, String> {
    Geometry::query(name, value_of(&holding(value)), &NoEnv)
        .expect("the test named a shape")
        .map_err(|refusal| refusal.message())
}

fn on_sphere(value: &str) -> Geometry {
    let mut geometry = stored(value).expect("the test wrote a geometry");
    assert!(geometry.project(Crs::Sphere), "{value}");
    geometry
}

fn geometry(value: &str) -> Geometry {
    let mut geometry = asked("$geometry", value).expect("the test wrote a geometry");
    assert!(geometry.project(Crs::Sphere), "{value}");
    geometry
}

fn refused(value: &str) -> String {
    stored(value).expect_err("the test wrote no geometry")
}

/// GeoJSON of a type with coordinates.
fn json(kind: &str, coordinates: &str) -> String {
    format!("{{\"type\": \"{kind}\", \"coordinates\": {coordinates}}}")
}

/// GeoJSON of a polygon with strict winding.
fn strict(coordinates: &str) -> String {
    format!(
        "{{\"type\": \"Polygon\", \"coordinates\": {coordinates}, \"crs\": {{\"type\": \"name\", \
         \"properties\": {{\"name\": \"urn:x-mongodb:crs:strictwinding:EPSG:4326\"}}}}}}"
    )
}

const SQUARE: &str = "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]";
const WITH_HOLE: &str = "[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]]";

#[test]
fn pairs_and_geojson_are_read() {
    for value in [
        "[1, 2]",
        "[1, 2, 3]",
        "{\"lng\": 1, \"lat\": 2, \"z\": \"x\"}",
    ] {
        let read = stored(value).expect("it is a pair");
        assert_eq!((read.crs(), read.is_point()), (Crs::Flat, true));
    }
    let read = stored(&json("Point", "[1, 2, 300]")).expect("it is a point");
    assert_eq!((read.crs(), read.is_simple()), (Crs::Sphere, true));
    for kind in ["MultiPoint", "LineString"] {
        let read = stored(&json(kind, "[[1, 2], [3, 4]]")).expect("it is one");
        assert_eq!(read.is_simple(), kind == "LineString");
    }
    assert!(stored(&json("Polygon", WITH_HOLE)).is_ok());
    assert!(stored(&json("MultiPolygon", &format!("[{SQUARE}]"))).is_ok());
    assert!(stored(&json("MultiLineString", "[[[1, 2], [3, 4]]]")).is_ok());
    let collection = format!(
        "{{\"type\": \"GeometryCollection\", \"geometries\": [{}, {}]}}",
        json("Point", "[1, 2]"),
        json("Polygon", SQUARE)
    );
    assert!(stored(&collection).expect("it is one").has_inside());
    let strict = asked("$geometry", &strict(SQUARE)).expect("it is one");
    assert_eq!(strict.crs(), Crs::StrictSphere);
}

#[test]
fn refusals_are_in_the_words_of_the_server() {
    let point = |coordinates: &str| refused(&json("Point", coordinates));
    let line = |coordinates: &str| refused(&json("LineString", coordinates));
    let polygon = |coordinates: &str| refused(&json("Polygon", coordinates));
    assert_eq!(refused("5"), "geo element must be an array or object: 5");
    assert_eq!(
        refused("[1, \"x\"]"),
        "Point must only contain numeric elements, instead got type string"
    );
    assert_eq!(
        refused("{\"type\": \"Point\"}"),
        "Point must be an array or object, instead got type missing"
    );
    assert_eq!(
        point("[\"a\", 5]"),
        "Point must only contain numeric elements, instead got type string"
    );
    assert_eq!(
        point("[]"),
        "Point must only contain numeric elements, instead got type missing"
    );
    assert_eq!(
        point("[{\"$numberDouble\": \"Infinity\"}, 5]"),
        "Point coordinates must be finite numbers"
    );
    assert_eq!(
        point("[181, -90.5]"),
        "Longitude/latitude is out of bounds, lng: 181 lat: -90.5"
    );
    assert_eq!(
        line("[5, 5]"),
        "GeoJSON coordinates must be an array, instead got type int"
    );
    assert_eq!(
        line("5.5"),
        "GeoJSON coordinates must be an array of coordinates, instead got type double"
    );
    assert_eq!(
        line("[[1, 1], [1, 1]]"),
        "GeoJSON LineString must have at least 2 vertices, instead got 1 vertices: [[1,1],[1,1]]"
    );
    assert_eq!(
        polygon("\"hi\""),
        "Polygon coordinates must be an array, instead got type string"
    );
    assert_eq!(polygon("[]"), "Polygon has no loops.");
    assert_eq!(
        polygon("[[[0,0],[1,2],[2,3]]]"),
        "Loop is not closed, first vertex does not equal last vertex: [[0,0],[1,2],[2,3]]"
    );
    assert_eq!(
        polygon("[[[0,0],[1,2],[0,0]]]"),
        "Loop must have at least 3 different vertices, 2 unique vertices were provided: \
         [[0,0],[1,2],[0,0]]"
    );
    assert_eq!(
        polygon("[[[0,0],[4,0],[2,-3],[2,1],[0,0]]]"),
        "Loop is not valid: [[0,0],[4,0],[2,-3],[2,1],[0,0]] Edges 0 and 2 cross. Edge locations in degrees: \
         [0.0000000, 0.0000000]-[4.0000000, 0.0000000] and [2.0000000, -3.0000000]-[2.0000000, 1.0000000]"
    );
    assert_eq!(
        polygon("[[[0,0],[4,0],[4,4],[0,0],[0,4],[0,0]]]"),
        "Loop is not valid: [[0,0],[4,0],[4,4],[0,0],[0,4],[0,0]] Duplicate vertices: 0 and 3"
    );
    assert!(
        polygon("[[[0,0],[4,0],[4,4],[0,0]],[[10,10],[11,10],[11,11],[10,10]]]").starts_with(
            "Secondary loops not contained by first exterior loop - secondary loops must be holes: \
             [[10,10],[11,10],[11,11],[10,10]] first loop: [[0,0],"
        )
    );
    let shell = "[[0,0],[10,0],[10,10],[0,10],[0,0]]";
    let holes = |holes: &str| polygon(&format!("[{shell},{holes}]"));
    assert!(
        holes("[[0,0],[10,0],[5,5],[0,0]]")
            .starts_with("Polygon isn't valid: Duplicate edge: loop 1, edge 0 and loop 0, edge 0 ")
    );
    assert!(
        holes("[[0,0],[5,1],[10,0],[5,5],[0,0]]")
            .starts_with("Loop 1 shares more than one vertex with its parent loop 0: ")
    );
    assert!(
        holes("[[2,2],[6,2],[6,6],[2,2]],[[3,3],[7,2],[7,7],[3,3]]")
            .starts_with("Polygon isn't valid: Loop 1 crosses loop 2 ")
    );
    assert!(
        holes("[[1,1],[9,1],[9,9],[1,9],[1,1]],[[3,3],[7,3],[7,7],[3,3]]")
            .starts_with("Polygon interior loops cannot be nested: ")
    );
    assert_eq!(
        refused("{\"type\": \"Circle\"}"),
        "unknown GeoJSON type: {\"type\":\"Circle\"}"
    );
    let crs = |crs: &str| {
        refused(&format!(
            "{{\"type\": \"Point\", \"coordinates\": [1, 2], \"crs\": {crs}}}"
        ))
    };
    assert_eq!(
        crs("1"),
        "GeoJSON CRS must be an object, instead got type int"
    );
    assert_eq!(crs("{}"), "GeoJSON CRS must have field \"type\": \"name\"");
    assert_eq!(
        crs("{\"type\": \"name\"}"),
        "CRS must have field \"properties\" which is an object, instead got type missing"
    );
    assert_eq!(
        crs("{\"type\": \"name\", \"properties\": {}}"),
        "In CRS, \"properties.name\" must be a string, instead got type missing"
    );
    assert_eq!(
        crs("{\"type\": \"name\", \"properties\": {\"name\": \"EPSG:1\"}}"),
        "Unknown CRS name: EPSG:1"
    );
    assert_eq!(
        refused(&strict(SQUARE).replace("\"Polygon\"", "\"LineString\"")),
        "Strict winding order CRS is only supported by polygon"
    );
    assert!(refused(&strict(WITH_HOLE)).starts_with(
        "Only one simple loop is allowed in a big polygon, instead provided 2 loops: "
    ));
    let collection = |inside: &str| {
        refused(&format!(
            "{{\"type\": \"GeometryCollection\", \"geometries\": {inside}}}"
        ))
    };
    assert_eq!(
        collection(&format!("[{}]", strict(SQUARE))),
        "Strict winding order CRS is only supported by polygon"
    );
    assert_eq!(
        collection("[]"),
        "GeometryCollection geometries must have at least 1 element"
    );
    assert_eq!(
        collection("[5]"),
        "Element 0 of \"geometries\" must be an object, instead got type int: 5"
    );
    assert!(
        collection("[{\"type\": \"GeometryCollection\"}]")
            .starts_with("GeometryCollections cannot be nested: ")
    );
}

#[test]
fn shapes_of_queries_are_read() {
    let refused = |name: &str, value: &str| asked(name, value).expect_err("it is no shape");
    assert_eq!(
        refused("$polygon", "[[0,0],[1,1]]"),
        "Polygon must have at least 3 points, instead got 2 vertices"
    );
    assert_eq!(
        refused("$center", "[[0,0],-1]"),
        "Radius must be a non-negative number: -1"
    );
    assert_eq!(
        refused("$center", "[[0,0],1,2]"),
        "Only 2 fields allowed for circular region, but more were provided"
    );
    assert_eq!(
        refused("$centerSphere", "[[0,91],1]"),
        "Longitude/latitude is out of bounds, lng: 0 lat: 91"
    );
    assert_eq!(
        refused("$box", "[[0,0]]"),
        "Point must be an array or object, instead got type missing"
    );
    assert_eq!(
        refused("$geometry", "[1,2,3]"),
        "Point must only contain two numeric elements"
    );
    assert!(Geometry::query("$circle", value_of(&holding("[]")), &NoEnv).is_none());
    assert!(Geometry::query("$box", value_of(&holding("1")), &NoEnv).is_none());
    let area = asked("$box", "[[5,5],[0,1]]").expect("it is a box");
    let has = |point: &str| {
        area.contains(&stored(point).expect("a pair"), &NoEnv)
            .expect("nothing stops it")
    };
    assert!(has("[0,1]") && has("[5,5]") && !has("[0,0.99]"));
}

#[test]
fn points_of_queries_are_read() {
    let read = |value: &str| {
        let document = holding(value);
        Point::query(value_of(&document)).map_err(|refusal| refusal.message())
    };
    assert_eq!(
        read("[1, 2]").map(|point| (point.x, point.y)),
        Ok((1.0, 2.0))
    );
    let typeless = read("{\"coordinates\": [1, 2]}").expect("the type may be left out");
    assert_eq!(typeless.crs(), Crs::Sphere);
    assert_eq!(
        read(&json("LineString", "[[1,2],[3,4]]")),
        Err("Expected geojson geometry with type Point, but got type LineString".to_owned())
    );
    let document = holding("[1, 2, 3]");
    let (point, distance) = Point::with_distance(value_of(&document)).expect("three numbers");
    assert_eq!((point.x, point.y, distance), (1.0, 2.0, 3.0));
    let document = holding("[1, 2]");
    assert_eq!(
        Point::with_distance(value_of(&document)).map_err(|refusal| refusal.message()),
        Err("Point with max distance must contain exactly three numeric elements".to_owned())
    );
}

#[test]
fn a_shape_contains_what_is_inside_and_on_its_border() {
    let square = geometry(&json("Polygon", SQUARE));
    let with_hole = geometry(&json("Polygon", WITH_HOLE));
    let has = |whole: &Geometry, part: &str| {
        whole
            .contains(&on_sphere(part), &NoEnv)
            .expect("nothing stops it")
    };
    for inside in ["[5,5]", "[0,0]", "[0,5]", "[5,0]", "[10,10]", "[10,3]"] {
        assert!(has(&square, inside), "{inside}");
    }
    // A geodesic from [0, 10] to [10, 10] goes north of the parallel.
    assert!(has(&square, "[5, 10.03]") && !has(&square, "[5, 10.05]"));
    assert!(!has(&square, "[-0.001,5]") && !has(&with_hole, "[5,5]") && has(&with_hole, "[4,5]"));
    let line = |coordinates: &str| json("LineString", coordinates);
    assert!(has(&square, &line("[[1,1],[9,9]]")) && !has(&with_hole, &line("[[1,1],[9,9]]")));
    assert!(has(&with_hole, &line("[[1,1],[3,9]]")) && !has(&square, &line("[[1,1],[11,1]]")));
    let polygon = |coordinates: &str| json("Polygon", coordinates);
    assert!(has(&square, &polygon(SQUARE)) && has(&square, &polygon(WITH_HOLE)));
    assert!(!has(&with_hole, &polygon(SQUARE)) && has(&with_hole, &polygon(WITH_HOLE)));
    assert!(has(&with_hole, &polygon("[[[1,1],[3,1],[3,3],[1,1]]]")));
    assert!(!has(&with_hole, &polygon("[[[1,1],[5,1],[5,5],[1,1]]]")));
    assert!(has(&square, &json("MultiPoint", "[[1,1],[2,2]]")));
    assert!(!has(&square, &json("MultiPoint", "[[1,1],[12,2]]")));
}

#[test]
fn shapes_meet_where_they_share_a_point() {
    let meets = |one: &str, other: &str| {
        let (one, other) = (geometry(one), on_sphere(other));
        let met = one.intersects(&other, &NoEnv).expect("nothing stops it");
        assert_eq!(other.intersects(&one, &NoEnv), Ok(met));
        met
    };
    let polygon = |coordinates: &str| json("Polygon", coordinates);
    let line = |coordinates: &str| json("LineString", coordinates);
    let point = json("Point", "[5,5]");
    assert!(meets(&polygon(SQUARE), &point) && !meets(&polygon(WITH_HOLE), &point));
    assert!(meets(&point, &point) && !meets(&point, "[5,5.000001]"));
    assert!(meets(&line("[[0,5],[0,6]]"), "[0,5.5]") && !meets(&line("[[0,5],[0,6]]"), "[0,7]"));
    assert!(meets(&line("[[0,0],[5,5]]"), &line("[[0,5],[5,0]]")));
    assert!(meets(&line("[[0,0],[5,5]]"), &line("[[5,5],[7,5]]")));
    assert!(!meets(&line("[[0,0],[5,5]]"), &line("[[6,5],[7,5]]")));
    assert!(meets(&polygon(SQUARE), &line("[[-5,5],[5,5]]")));
    assert!(meets(&polygon(SQUARE), &line("[[-5,5],[15,5]]")));
    assert!(!meets(&polygon(WITH_HOLE), &line("[[4.5,4.5],[5.5,5.5]]")));
    assert!(meets(&polygon(WITH_HOLE), &line("[[4.5,4.5],[7,7]]")));
    assert!(meets(
        &polygon(SQUARE),
        &polygon("[[[5,5],[15,5],[15,15],[5,5]]]")
    ));
    assert!(meets(
        &polygon(SQUARE),
        &polygon("[[[-5,-5],[15,-5],[15,15],[-5,15],[-5,-5]]]")
    ));
    // Neighbours share a border and no room.
    assert!(!meets(
        &polygon(SQUARE),
        &polygon("[[[10,0],[20,0],[20,10],[10,10],[10,0]]]")
    ));
    assert!(!meets(
        &polygon(WITH_HOLE),
        &polygon("[[[4,4],[6,4],[6,6],[4,6],[4,4]]]")
    ));
    assert!(meets(&polygon(SQUARE), &polygon(SQUARE)));
    let collection = format!(
        "{{\"type\": \"GeometryCollection\", \"geometries\": [{}, {}]}}",
        json("Point", "[50, 50]"),
        line("[[20, 20], [30, 30]]")
    );
    assert!(meets(&collection, "[50,50]") && !meets(&collection, "[51,50]"));
}

#[test]
fn strict_winding_takes_the_side_at_the_left() {
    // Against the clock the square itself, with the clock all but it.
    let small = geometry(&strict("[[[0,0],[10,0],[10,10],[0,10],[0,0]]]"));
    let big = geometry(&strict("[[[0,0],[0,10],[10,10],[10,0],[0,0]]]"));
    let ask = |value: &str| {
        let other = on_sphere(value);
        [&small, &big].map(|polygon| {
            (
                polygon.contains(&other, &NoEnv).expect("nothing stops it"),
                polygon
                    .intersects(&other, &NoEnv)
                    .expect("nothing stops it"),
            )
        })
    };
    let (yes, no, in_part) = ((true, true), (false, false), (false, true));
    assert_eq!(ask("[5,5]"), [yes, no]);
    assert_eq!(ask("[50,5]"), [no, yes]);
    assert_eq!(ask("[0,5]"), [yes, yes]);
    assert_eq!(ask(&json("LineString", "[[1,1],[2,2]]")), [yes, no]);
    assert_eq!(ask(&json("LineString", "[[20,20],[30,30]]")), [no, yes]);
    assert_eq!(
        ask(&json("LineString", "[[1,1],[30,30]]")),
        [in_part, in_part]
    );
    let polygon = |coordinates: &str| json("Polygon", coordinates);
    assert_eq!(ask(&polygon("[[[1,1],[2,1],[2,2],[1,1]]]")), [yes, no]);
    assert_eq!(
        ask(&polygon("[[[20,20],[30,20],[30,30],[20,20]]]")),
        [no, yes]
    );
    assert_eq!(
        ask(&polygon("[[[1,1],[30,1],[30,30],[1,1]]]")),
        [in_part, in_part]
    );
    // Larger than a hemisphere only with strict winding: else it is the smaller side.
    let plain = geometry(&json("Polygon", "[[[0,0],[0,10],[10,10],[10,0],[0,0]]]"));
    assert_eq!(plain.contains(&on_sphere("[5,5]"), &NoEnv), Ok(true));
}

#[test]
fn poles_and_the_date_line_are_like_any_other_place() {
    let has = |polygon: &str, point: &str| {
        geometry(&json("Polygon", polygon))
            .contains(&on_sphere(point), &NoEnv)
            .expect("nothing stops it")
    };
    let cap = "[[[0,80],[90,80],[180,80],[-90,80],[0,80]]]";
    for point in ["[0,90]", "[77,90]", "[45,89]", "[-135,88]"] {
        assert!(has(cap, point), "{point}");
    }
    assert!(!has(cap, "[45,80]") && !has(cap, "[0,-90]"));
    let across = "[[[170,-10],[-170,-10],[-170,10],[170,10],[170,-10]]]";
    assert!(has(across, "[180,0]") && has(across, "[-180,0]") && has(across, "[-175,5]"));
    assert!(!has(across, "[0,0]") && !has(across, "[165,0]"));
    let at_pole = "[[[0,90],[0,80],[40,80],[0,90]]]";
    assert!(has(at_pole, "[20,85]") && has(at_pole, "[123,90]") && !has(at_pole, "[-20,85]"));
}

#[test]
fn distances_are_those_to_the_nearest_part() {
    let from = |x: f64, y: f64, value: &str| {
        let mut point = Point::flat(x, y);
        assert!(point.project(Crs::Sphere));
        on_sphere(value)
            .distance(&point, &NoEnv)
            .expect("nothing stops it")
            .to_degrees()
    };
    let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
    assert!(near(from(0.0, 0.0, "[3,0]"), 3.0));
    assert!(near(from(0.0, 90.0, "[3,-90]"), 180.0));
    assert!(near(from(179.0, 0.0, "[-179,0]"), 2.0));
    assert!(near(from(5.0, 5.0, &json("Polygon", SQUARE)), 0.0));
    // Along the parallel of 5 degrees, a degree is that much shorter.
    let inside = from(5.0, 5.0, &json("Polygon", WITH_HOLE));
    assert!((inside - 5.0_f64.to_radians().cos()).abs() < 1e-3);
    assert!(near(from(-3.0, 0.0, &json("Polygon", SQUARE)), 3.0));
    assert!(near(
        from(5.0, 7.0, &json("LineString", "[[0,0],[10,0]]")),
        7.0
    ));
    assert!(near(
        from(13.0, 0.0, &json("LineString", "[[0,0],[10,0]]")),
        3.0
    ));
    assert!(near(
        from(0.0, 0.0, &json("MultiPoint", "[[3,0],[0,-2]]")),
        2.0
    ));
    let flat = stored("[3,4]").expect("a pair");
    assert_eq!(flat.distance(&Point::flat(0.0, 0.0), &NoEnv), Ok(5.0));
}

#[test]
fn caps_contain_points_to_the_border_and_lines_well_within() {
    let cap = asked("$centerSphere", "[[0,0],0.1]").expect("it is a cap");
    let has = |value: &str| {
        cap.contains(&on_sphere(value), &NoEnv)
            .expect("nothing stops it")
    };
    let border = 0.1_f64.to_degrees();
    assert!(
        has("[0,0]") && has(&format!("[{border},0]")) && !has(&format!("[0,{}]", border + 1e-6))
    );
    assert!(
        has(&json("LineString", "[[0,0],[5,0]]")) && !has(&json("LineString", "[[0,0],[6,0]]"))
    );
    assert!(!has(&format!(
        "{{\"type\": \"LineString\", \"coordinates\": [[0,0],[0,{border}]]}}"
    )));
    assert!(has(&json("Polygon", "[[[0,0],[1,0],[1,1],[0,0]]]")) && !has(&json("Polygon", SQUARE)));
    let all = asked("$centerSphere", "[[0,0],4]").expect("it is a cap");
    assert_eq!(all.contains(&on_sphere("[180,0]"), &NoEnv), Ok(true));
}
